import { createZipf, pickWeighted } from '#test/bench/lib/random.ts';
import type { Mix, MixOperation } from './mixes.ts';

export interface Shot {
  readonly operation: MixOperation;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string;
}

/** What is stored before a profile runs: objects, and sources of edges with how many each has. */
export interface Stored {
  readonly objects: number;
  readonly degrees: readonly number[];
}

/** Quartiles of TAOBench's read transactions: half of them read 4 things or fewer, a tenth 49 or more. */
const READ_TXN = { small: 4, large: 49, largePercent: 10 };
const WRITE_TXN = 4;

const object = (n: number) => `/v1/chat/objects/Message/b${n}`;
const edges = (n: number, type = 'messages') => `/v1/chat/objects/Conversation/s${n}/edges/${type}`;
const text = (bytes: number) => JSON.stringify({ t: 'x'.repeat(Math.max(0, bytes - 8)) });

/** Makes the requests of a mix, one after another, the same ones for the same `random`. */
export function createShots(mix: Mix, stored: Stored, random: () => number): () => Shot {
  const rankOfObject = createZipf(stored.objects, mix.skew);
  const rankOfSource = createZipf(stored.degrees.length, mix.skew);
  const pickObject = () => rankOfObject(random);
  const pickSource = () => rankOfSource(random);
  const pickTarget = (source: number) => Math.floor(random() * Math.max(1, stored.degrees[source] ?? 1));
  const weights = mix.weights as Readonly<Record<MixOperation, number>>;
  let fresh = 0;
  const newId = () => {
    fresh += 1;
    return `n${fresh}`;
  };
  const put = (to: string, source = pickSource()) => {
    const body = JSON.stringify({ data: 'x'.repeat(mix.edgeBytes) });
    return { method: 'PUT', path: `${edges(source)}/${to}`, body } as const;
  };
  const known = () => {
    const source = pickSource();
    return put(`t${pickTarget(source)}`, source);
  };
  const batch = (operations: readonly object[]) =>
    ({ method: 'POST', path: '/v1/chat/batch', body: JSON.stringify({ operations }) }) as const;
  const make: Readonly<Record<MixOperation, () => Omit<Shot, 'operation'>>> = {
    'object.get': () => ({ method: 'GET', path: object(pickObject()) }),
    'edge.get': () => {
      const source = pickSource();
      return { method: 'GET', path: `${edges(source)}/t${pickTarget(source)}` };
    },
    'edge.list': () => ({ method: 'GET', path: `${edges(pickSource())}?limit=${mix.listLimit(random)}` }),
    'edge.list.time': () => ({
      method: 'GET',
      path: `${edges(pickSource())}?limit=${mix.listLimit(random)}&after=1&before=${stored.objects}`,
    }),
    'edge.count': () => ({ method: 'GET', path: `${edges(pickSource())}:count` }),
    'object.update': () => ({ method: 'PUT', path: object(pickObject()), body: text(mix.objectBytes) }),
    'object.create': () => ({ method: 'POST', path: '/v1/chat/objects/Message', body: text(mix.objectBytes) }),
    'object.delete': () => ({ method: 'DELETE', path: object(pickObject()) }),
    'edge.put': known,
    'edge.put.new': () => put(newId()),
    'edge.put.update': known,
    'edge.delete': () => {
      const source = pickSource();
      return { method: 'DELETE', path: `${edges(source)}/t${pickTarget(source)}` };
    },
    'edge.changeType': () => {
      const source = pickSource();
      return { method: 'POST', path: `${edges(source)}/t${pickTarget(source)}:changeType`, body: '{"to":"pinned"}' };
    },
    read_txn: () => {
      const size = random() * 100 < READ_TXN.largePercent ? READ_TXN.large : READ_TXN.small;
      return batch(Array.from({ length: size }, () => ({ op: 'object.get', type: 'Message', id: `b${pickObject()}` })));
    },
    write_txn: () =>
      batch(
        Array.from({ length: WRITE_TXN }, () => ({
          ...{ op: 'object.put', type: 'Message', id: `b${pickObject()}` },
          json: { t: 'x'.repeat(mix.objectBytes) },
        })),
      ),
  };
  return () => {
    const operation = pickWeighted(weights, random);
    return { operation, ...make[operation]() };
  };
}
