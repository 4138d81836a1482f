import type { z } from 'zod';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import type { State } from './settle.ts';

/** One item as a write that it decides has to know it: by a critical read, null when nothing is there. */
export async function itemState<T>(
  parts: StoreParts,
  item: { readonly pk: string; readonly id: string; readonly schema: z.ZodType<T> },
  call: WriteCall,
): Promise<State<T | null> | Denial> {
  const found = await readItem(parts, { ...item, consistency: 'critical' }, call);
  return isDenial(found) ? found : { state: found.item };
}
