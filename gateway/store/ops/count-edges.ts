import { isDenial } from '#gateway/pipeline/denial.ts';
import type { StorePort } from '#gateway/pipeline/store-port.ts';
import { HeadItem } from '#gateway/store/layout/items.ts';
import { HEAD_ID, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';

/** One point read of the head, whatever the number of edges. 0 while the object is being deleted. */
export function createCountEdges(parts: StoreParts): StorePort['countEdges'] {
  return async ({ from, rule }, call) => {
    const pk = partitionKeyOf(from);
    const address = { pk, id: HEAD_ID, schema: HeadItem, consistency: call.consistency };
    const found = await readItem(parts, address, call);
    if (isDenial(found)) return found;
    const isOpen = found.item !== null && found.item.state === 'open';
    const value = isOpen ? (found.item.n[rule.edgeType] ?? 0) : 0;
    return { kind: 'reply', value, session: found.session };
  };
}
