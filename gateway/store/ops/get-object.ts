import { deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { ContentBinding, ObjectKey, StorePort } from '#gateway/pipeline/store-port.ts';
import { isDead, ObjectItem } from '#gateway/store/layout/items.ts';
import { OBJECT_ID, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';

/** One point read. `object_not_found` when nothing is there or it was deleted. */
export function createGetObject(parts: StoreParts): StorePort['getObject'] {
  return async (key, call) => {
    const pk = partitionKeyOf(key);
    const address = { pk, id: OBJECT_ID, schema: ObjectItem, consistency: call.consistency };
    const found = await readItem(parts, address, call);
    if (isDenial(found)) return found;
    const { item, session } = found;
    if (item === null || isDead(item)) return deny('object_not_found', `No ${key.type} is stored under this id.`);
    const binding = objectBinding(key, item);
    return { kind: 'reply', value: { kind: 'object', r: item.r, binding, sealed: item.content }, session };
  };
}

/** What the content of an object is sealed to. */
export function objectBinding(key: ObjectKey, at: { readonly r: number; readonly timeMs: number }): ContentBinding {
  const pk = partitionKeyOf(key);
  return { tenant: key.tenant, pk, itemId: OBJECT_ID, type: key.type, r: at.r, timeMs: at.timeMs };
}
