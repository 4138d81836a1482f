import { type Edge, MAX_PAGE_BYTES } from '#gateway/contract/data-api.ts';
import { type ObjectId, utf8Bytes } from '#gateway/contract/ids.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import type { Fetched } from './perform.ts';
import type { Reply } from './request.ts';
import type { EdgeFound } from './serving-port.ts';
import type { CommitOutcome, ContentPort } from './store-port.ts';
import type { CursorPort } from './work.ts';

interface DecodePorts {
  readonly content: ContentPort;
  readonly cursors: CursorPort;
}

/**
 * Turns what the store answered into the reply: checks, decrypts and decompresses content, which it never parses.
 * Refuses with `checksum_mismatch`, `content_unreadable`, `key_unavailable`, `edge_not_found`.
 */
export function decode(fetched: Fetched, ports: DecodePorts): Reply | Denial | Promise<Reply | Denial> {
  const { session } = fetched;
  switch (fetched.operation) {
    case 'object.get':
      return decodeObject(fetched, ports);
    case 'object.put': {
      const { value, id } = fetched;
      const version = versionOf(value.r);
      return json(objectWritten(value, id), { session, version, status: value.created ? 201 : 200 });
    }
    case 'object.delete': {
      const { deleted, sweeping } = fetched.value;
      return json({ id: fetched.id, deleted, ...(sweeping ? { sweeping } : {}) }, { session });
    }
    case 'commit': {
      const results = fetched.value.map((outcome) => resultOf(outcome, fetched.id));
      return json({ results }, { session });
    }
    case 'edge.get':
      return decodeEdges(fetched, ports);
    case 'edge.put': {
      const { value, work } = fetched;
      return json(edgeWritten({ ...value, toId: work.toId }), { session, status: value.created ? 201 : 200 });
    }
    case 'edge.delete':
      return json({ toId: fetched.work.toId, deleted: fetched.value.deleted }, { session });
    case 'edge.changeType': {
      const { toId, to } = fetched.work;
      return json(edgeMoved({ ...fetched.value, toId, edgeType: to.rule.edgeType }), { session });
    }
    case 'edge.count':
      return json({ count: fetched.value }, { session });
    case 'edge.list':
      return decodePage(fetched, ports);
  }
}

type OutcomeOf<O extends CommitOutcome['operation']> = Omit<Extract<CommitOutcome, { operation: O }>, 'operation'>;

/** What an operation of a commit answers: the same as when it comes alone. */
function resultOf(outcome: CommitOutcome, id: ObjectId): object {
  switch (outcome.operation) {
    case 'object.put':
      return objectWritten(outcome, id);
    case 'edge.put':
      return edgeWritten(outcome);
    case 'edge.delete':
      return { toId: outcome.toId, deleted: outcome.deleted };
    case 'edge.changeType':
      return edgeMoved(outcome);
  }
}

function objectWritten({ r, created }: OutcomeOf<'object.put'>, id: ObjectId): object {
  return { id, version: versionOf(r), created };
}

function edgeWritten({ toId, timeMs, r, created }: OutcomeOf<'edge.put'>): object {
  return { toId, time: timeMs, version: versionOf(r), created };
}

function edgeMoved({ toId, edgeType, timeMs, r, replaced }: OutcomeOf<'edge.changeType'>): object {
  return { toId, edgeType, time: timeMs, version: versionOf(r), replaced };
}

/** The client's version of an item: its revision in base 36, and nothing else. */
export function versionOf(r: number): string {
  return r.toString(36);
}

type FetchedOf<O extends Fetched['operation']> = Extract<Fetched, { operation: O }>;

function decodeObject(
  { value, work, session }: FetchedOf<'object.get'>,
  ports: DecodePorts,
): Reply | Denial | Promise<Reply | Denial> {
  const version = versionOf(value.r);
  if (work.ifNoneMatch.includes(version) || work.ifNoneMatch.includes('*')) {
    return { kind: 'answer', status: 304, contentType: null, version, body: null, session };
  }
  if (value.kind === 'heldObject') {
    const { contentType, content } = value;
    return { kind: 'answer', status: 200, contentType, version, body: content, session };
  }
  const { contentType } = value.sealed;
  const answer = (body: Uint8Array | Denial): Reply | Denial =>
    isDenial(body) ? body : { kind: 'answer', status: 200, contentType, version, body, session };
  const opened = ports.content.open(value.binding, value.sealed);
  return opened instanceof Promise ? opened.then(answer) : answer(opened);
}

async function decodeEdges(fetched: FetchedOf<'edge.get'>, ports: DecodePorts): Promise<Reply | Denial> {
  const { work, session } = fetched;
  const edges: Edge[] = [];
  for (const stored of fetched.value) {
    const edge = await openEdge(stored, ports.content);
    if (isDenial(edge)) return edge;
    edges.push(edge);
  }
  if (!work.single) return json({ edges }, { session });
  const [edge] = edges;
  if (edge === undefined) return deny('edge_not_found', `There is no ${work.rule.edgeType} edge to this id.`);
  return json(edge, { session });
}

/** A page ends at its limit or at 1 MB of JSON, whichever comes first; the cursor continues after its last edge. */
async function decodePage(
  { value, work, session }: FetchedOf<'edge.list'>,
  ports: DecodePorts,
): Promise<Reply | Denial> {
  const texts: string[] = [];
  let bytes = 0;
  let lastS: string | null = null;
  let { more } = value;
  for (const stored of value.edges) {
    const edge = await openEdge(stored, ports.content);
    if (isDenial(edge)) return edge;
    const text = JSON.stringify(edge);
    bytes += utf8Bytes(text) + 1;
    if (bytes > MAX_PAGE_BYTES && texts.length > 0) {
      more = true;
      break;
    }
    texts.push(text);
    lastS = stored.s;
  }
  const next = more && lastS !== null ? nextOf(work, lastS, ports.cursors) : '';
  const clamped = work.limitClamped ? ',"limitClamped":true' : '';
  return reply(`{"edges":[${texts.join(',')}]${next}${clamped}}`, { session });
}

/** A positional page is a single one: its cost grows with what it passes over, a walk's does not. */
function nextOf({ pos, scope }: FetchedOf<'edge.list'>['work'], lastS: string, cursors: CursorPort): string {
  return pos === null ? `,"cursor":${JSON.stringify(cursors.seal(lastS, scope))}` : ',"more":true';
}

async function openEdge(stored: EdgeFound, content: ContentPort): Promise<Edge | Denial> {
  const edge = { toId: stored.toId, time: stored.timeMs, version: versionOf(stored.r) };
  if (stored.data === null) return edge;
  const data = stored.kind === 'heldEdge' ? stored.data : await content.open(stored.binding, stored.data);
  if (isDenial(data)) return data;
  return { ...edge, data: new TextDecoder().decode(data) };
}

type Rest = Pick<Reply, 'session'> & Partial<Pick<Reply, 'status' | 'version'>>;

function json(body: object, rest: Rest): Reply {
  return reply(JSON.stringify(body), rest);
}

function reply(body: string, rest: Rest): Reply {
  return { kind: 'answer', status: 200, contentType: 'application/json', version: null, body, ...rest };
}
