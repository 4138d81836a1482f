import { z } from 'zod';
import { BatchResults } from '#gateway/contract/data-api.ts';
import type { Action, CommitPart } from './history.ts';
import { INVERSE_OF } from './plan.ts';
import type { Received, Sending } from './sending.ts';

/** Long enough to be compressed every now and then. */
export function contentOf(mark: string): string {
  return `${mark} ${'.'.repeat((mark.length % 3) * 900)}`;
}

export function commitBodyOf(parts: readonly CommitPart[], targetOf: (name: string) => string) {
  return {
    operations: parts.map((part) => {
      switch (part.op) {
        case 'object.put':
          return { op: part.op, text: contentOf(part.mark) };
        case 'edge.put':
          return { op: part.op, edgeType: part.type, toId: targetOf(part.to), time: part.timeMs, data: part.mark };
        case 'edge.delete':
          return { op: part.op, edgeType: part.type, toId: targetOf(part.to) };
        default:
          return part satisfies never;
      }
    }),
  };
}

export function batchRequest(operation: object) {
  const created = { op: 'object.create', type: 'Message', text: 'created beside' };
  return { method: 'POST', path: 'batch', body: JSON.stringify({ operations: [operation, created] }) } as const;
}

/** An action as an operation of a batch; null for a commit, which is none. */
export function batchOperationOf(action: Action, sending: Pick<Sending, 'from' | 'targetOf'>): object | null {
  const { from, targetOf } = sending;
  const at = { type: 'Conversation', id: from };
  switch (action.op) {
    case 'commit':
      return null;
    case 'object.put': {
      const { op, mark, ifMatch, ifAbsent } = action;
      return { op, ...at, text: contentOf(mark), ifMatch, ifAbsent };
    }
    case 'object.delete':
      return { op: action.op, ...at, ifMatch: action.ifMatch };
    case 'target.delete':
      return { op: 'object.delete', type: 'Message', id: targetOf(action.to) };
    case 'object.get':
      return { op: action.op, ...at };
    case 'edge.put':
      return { op: action.op, ...endsOf(action, sending), time: action.timeMs, data: action.mark };
    case 'edge.delete':
      return { op: action.op, ...endsOf(action, sending) };
    case 'edge.changeType':
      return { op: action.op, ...at, edgeType: action.type, toId: targetOf(action.to), to: action.into };
    case 'edge.get':
      return { op: action.op, ...at, edgeType: action.type, toIds: action.to.map(targetOf) };
    case 'edge.count':
      return { op: action.op, ...at, edgeType: action.type };
    case 'edge.list':
      return { op: action.op, ...at, edgeType: action.type, limit: 1_000 };
    default:
      return action satisfies never;
  }
}

type EdgeWrite = Extract<Action, { readonly op: 'edge.put' | 'edge.delete' }>;

/** The object and edge that a write names, from the side that it is written from. */
export function endsOf({ type, to, fromTarget }: EdgeWrite, { from, targetOf }: Pick<Sending, 'from' | 'targetOf'>) {
  const inverse = INVERSE_OF[type];
  return fromTarget === true && inverse !== undefined
    ? { type: 'Message', id: targetOf(to), edgeType: inverse, toId: from }
    : { type: 'Conversation', id: from, edgeType: type, toId: targetOf(to) };
}

const Created = z.object({ id: z.string() });

/** The result of the operation, and the id that was given beside it. */
export function readBatchReply(text: string): Received & { readonly createdId: string | null } {
  const [result, beside] = BatchResults.parse(JSON.parse(text)).results;
  if (result === undefined) throw new Error('The batch has no results.');
  const created = Created.safeParse(beside?.body);
  const isOk = result.status < 400;
  const body = isOk ? (result.text ?? JSON.stringify(result.body)) : JSON.stringify({ error: result.error });
  return { isOk, version: result.version ?? '', text: body, createdId: created.success ? created.data.id : null };
}
