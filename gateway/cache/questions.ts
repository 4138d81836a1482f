import type { ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { HeldEdge, HeldObject } from '#gateway/pipeline/serving-port.ts';
import type {
  ContentPort,
  EdgeRule,
  ObjectKey,
  StoredEdge,
  StoredObject,
  StorePort,
} from '#gateway/pipeline/store-port.ts';
import { COUNT, EDGE, type EdgeList, listOf, OBJECT } from './entry.ts';
import type { Opened, Question } from './read-through.ts';
import type { Seen, Shelf } from './shelf.ts';

export interface QuestionParts {
  readonly store: StorePort;
  readonly content: Pick<ContentPort, 'open'>;
  readonly shelf: Shelf;
}

export interface EdgesOf {
  readonly from: ObjectKey;
  readonly rule: EdgeRule;
}

/** Null when there is no object. */
export function objectQuestion(
  { store, content, shelf }: QuestionParts,
  on: ObjectKey,
): Question<StoredObject | null, HeldObject | null> {
  const name = 'o';
  return {
    ...{ on, name, isOneRead: true },
    look: (pk, terms) => shelf.look(`${pk}\n${name}`, OBJECT, terms),
    ask: async (call) => {
      const answer = await store.getObject(on, call);
      const isAbsent = isDenial(answer) && answer.code === 'object_not_found';
      return isAbsent ? { kind: 'reply', value: null, session: [] } : answer;
    },
    open: async (stored) => {
      if (stored === null) return { kind: 'opened', held: null, r: 0, keyIds: [] };
      const { r, binding, sealed } = stored;
      const opened = await content.open(binding, sealed);
      if (isDenial(opened)) return opened;
      const held: HeldObject = { kind: 'heldObject', r, contentType: sealed.contentType, content: opened };
      return { kind: 'opened', held, r, keyIds: [sealed.keyId] };
    },
    keep: (pk, value, origin) => shelf.keep({ key: `${pk}\n${name}`, tenant: on.tenant }, OBJECT, { value, origin }),
  };
}

export function countQuestion({ store, shelf }: QuestionParts, edges: EdgesOf): Question<number, number> {
  const on = edges.from;
  const name = `n${edges.rule.edgeType}`;
  return {
    ...{ on, name, isOneRead: true },
    look: (pk, terms) => shelf.look(`${pk}\n${name}`, COUNT, terms),
    ask: (call) => store.countEdges(edges, call),
    open: async (held) => ({ kind: 'opened', held, r: 0, keyIds: [] }),
    keep: (pk, value, origin) => shelf.keep({ key: `${pk}\n${name}`, tenant: on.tenant }, COUNT, { value, origin }),
  };
}

/**
 * The edges to some targets, whatever their time. Each is kept by itself, also that there is none; several are shown
 * together only when one read found them, so that a delete is never seen halfway.
 */
export function edgesQuestion(
  { store, content, shelf }: QuestionParts,
  edges: EdgesOf,
  wanted: readonly ObjectId[],
): Question<readonly StoredEdge[], readonly HeldEdge[]> {
  const on = edges.from;
  const toIds = [...new Set(wanted)];
  const { edgeType, cardinality } = edges.rule;
  const nameOf = (toId: ObjectId) => `e${cardinality}~${edgeType}\n${toId}`;
  return {
    ...{ on, name: toIds.map(nameOf).join('\n'), isOneRead: false },
    look: (pk, terms) => {
      let first: Seen<unknown> | null = null;
      const found: HeldEdge[] = [];
      for (const toId of toIds) {
        const seen = shelf.look(`${pk}\n${nameOf(toId)}`, EDGE, terms);
        if (seen === null || (first !== null && seen.atMs !== first.atMs)) return null;
        if (seen.value !== null) found.push(seen.value);
        first ??= seen;
      }
      return first === null ? null : { ...first, value: found };
    },
    ask: (call) => store.getEdges(edges, { toIds, afterMs: null, beforeMs: null }, call),
    open: (found) => openEdges(content, found),
    keep: (pk, held, origin) => {
      const byTarget = new Map(held.map((edge) => [edge.toId, edge]));
      for (const toId of toIds) {
        const value = byTarget.get(toId) ?? null;
        const own = { ...origin, r: value?.r ?? 0 };
        shelf.keep({ key: `${pk}\n${nameOf(toId)}`, tenant: on.tenant }, EDGE, { value, origin: own });
      }
    },
  };
}

interface Page {
  readonly edges: readonly StoredEdge[];
  readonly more: boolean;
}

/** The first edges of a list; a longer beginning answers for a shorter one. */
export function listQuestion(
  { store, content, shelf }: QuestionParts,
  edges: EdgesOf,
  limit: number,
): Question<Page, EdgeList> {
  const on = edges.from;
  const name = `l${edges.rule.edgeType}`;
  const codec = listOf(limit);
  return {
    ...{ on, name: `${name}\n${limit}`, isOneRead: false },
    look: (pk, terms) => {
      const seen = shelf.look(`${pk}\n${name}`, codec, terms);
      return seen?.value.isEnough === true ? seen : null;
    },
    ask: (call) => store.listEdges(edges, { limit, afterS: null, pos: 0, afterMs: null, beforeMs: null }, call),
    open: async (page) => {
      const opened = await openEdges(content, page.edges);
      return isDenial(opened) ? opened : { ...opened, held: { edges: opened.held, more: page.more } };
    },
    keep: (pk, held, origin) => {
      const value = { ...held, isEnough: true };
      shelf.keep({ key: `${pk}\n${name}`, tenant: on.tenant }, codec, { value, origin });
    },
  };
}

async function openEdges(
  content: QuestionParts['content'],
  stored: readonly StoredEdge[],
): Promise<Opened<readonly HeldEdge[]> | Denial> {
  const held: HeldEdge[] = [];
  const keyIds = new Set<string>();
  for (const { toId, r, timeMs, s, binding, data } of stored) {
    const opened = data === null ? null : await content.open(binding, data);
    if (opened !== null && isDenial(opened)) return opened;
    if (data !== null) keyIds.add(data.keyId);
    held.push({ kind: 'heldEdge', toId, r, timeMs, s, data: opened });
  }
  return { kind: 'opened', held, r: 0, keyIds: [...keyIds] };
}
