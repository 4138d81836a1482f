import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { StoreMeter } from '#gateway/pipeline/store-port.ts';
import { RANGES, spanOf } from '#gateway/store/feed/ranges.ts';
import { readItems } from '#gateway/store/feed/read-changes.ts';
import type { StoreParts } from '#gateway/store/parts.ts';

/**
 * Every partition whose key begins with `prefix`, once each, by one reading of the change feed from its beginning: there is
 * no other way to list them that does not query across partitions. Ends with a denial when the feed cannot be read.
 */
export async function* walkPartitions(
  parts: StoreParts,
  prefix: string,
  meter: StoreMeter,
): AsyncGenerator<string, Denial | null> {
  for (const range of RANGES) {
    const seen = new Set<string>();
    const reader = readItems(parts, { span: spanOf(range), position: null, meter });
    for (let isEnd = false; !isEnd; ) {
      const page = await reader.read();
      if (isDenial(page)) return page;
      for (const { pk } of page.items) {
        if (!pk.startsWith(prefix) || seen.has(pk)) continue;
        seen.add(pk);
        yield pk;
      }
      isEnd = page.isEnd;
    }
  }
  return null;
}
