import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey, SessionToken, StoreCall } from '#gateway/pipeline/store-port.ts';
import { HeadItem } from '#gateway/store/layout/items.ts';
import { HEAD_ID, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { mergeSessions } from '#gateway/store/session-tokens.ts';
import { EDGES_A_TURN } from './sweep-object.ts';

export interface EdgesRead<T> {
  readonly items: readonly T[];
  readonly session: readonly SessionToken[];
}

export interface EdgesWanted {
  readonly from: ObjectKey;
  readonly rule: EdgeRule;
  /** Off for a read of one edge, which is there or is not. */
  readonly isOfSeveral: boolean;
}

/**
 * Runs a read of an object's edges so that a delete of the object is never seen halfway: from its first batch on nothing
 * is there, however many edges wait for the sweep. The head is read first (1 RU), since a read of edges that came before
 * it could show what was deleted when the call began. A sweep takes edges of a type in one batch as long as they fit; of
 * more than that, or of inverses, a read may meet a part, so the head is read once more and says whether a delete began
 * in between: then all is read again.
 */
export async function readBetweenDeletes<T>(
  parts: StoreParts,
  { from, rule, isOfSeveral }: EdgesWanted,
  on: { readonly call: StoreCall; readonly read: (call: StoreCall) => Promise<EdgesRead<T> | Denial> },
): Promise<EdgesRead<T> | Denial> {
  const pk = partitionKeyOf(from);
  let { call } = on;
  let before = await readHead(parts, pk, call);
  for (;;) {
    if (isDenial(before)) return before;
    if (before.item?.state === 'closing') return { items: [], session: before.session };
    const mayTear = isOfSeveral && (rule.derivedFrom !== null || (before.item?.n[rule.edgeType] ?? 0) > EDGES_A_TURN);
    if (!mayTear) return on.read(call);
    // What follows must not be older than this head, also where the caller would not mind.
    const session = mergeSessions(call.session, before.session);
    call = { ...call, session, consistency: call.consistency === 'eventual' ? 'session' : call.consistency };
    const found = await on.read(call);
    if (isDenial(found)) return found;
    const after = await readHead(parts, pk, call);
    if (!isDenial(after) && isSame(before.item, after.item)) return found;
    before = after;
  }
}

/** No delete began in between. Where nothing had an edge there is no head, and a delete would have made one. */
function isSame(before: HeadItem | null, after: HeadItem | null): boolean {
  return before?.closings === after?.closings && after?.state !== 'closing' && (before === null) === (after === null);
}

function readHead(parts: StoreParts, pk: string, call: StoreCall) {
  return readItem(parts, { pk, id: HEAD_ID, schema: HeadItem, consistency: call.consistency }, call);
}
