'use client';

import { valueAt } from '#components/definitions/document.ts';
import { Select } from '#components/ui/select.tsx';
import { timeWords } from '#components/ui/time-words.ts';
import { MAX_CACHE_TTL_MS } from '#gateway/contract/definitions/cache.ts';
import { useFormWiring } from './form-context.ts';
import { Row } from './form-rows.tsx';

const OFFERED_MS = [1_000, 5_000, 10_000, 60_000, 600_000, MAX_CACHE_TTL_MS];

/** How long gateways may keep what they read of the type. */
export function CacheRow() {
  const { draft, set, readOnlyWhy } = useFormWiring();
  const ttlMs = ttlOf(draft.document);
  const offered = ttlMs === null || OFFERED_MS.includes(ttlMs) ? OFFERED_MS : [...OFFERED_MS, ttlMs];
  const options = offered
    .toSorted((a, b) => a - b)
    .map((ms) => ({ value: String(ms), label: `Keep what was read for ${timeWords(ms)}` }));
  return (
    <Row path="cache.ttlMs" label="Cache" required={false} hint={hintOf(ttlMs)}>
      <Select
        options={[{ value: '', label: 'Off: every read asks the store' }, ...options]}
        disabled={readOnlyWhy !== undefined}
        value={ttlMs === null ? '' : String(ttlMs)}
        onChange={({ target: { value } }) => set('cache', value === '' ? undefined : { ttlMs: Number(value) })}
      />
    </Row>
  );
}

function hintOf(ttlMs: number | null): string {
  if (ttlMs === null)
    return 'A read then costs nothing in Cosmos DB while it is kept, and shows the last write of its gateway.';
  return `A read shows the last write through its own gateway. One through another gateway may be up to ${timeWords(ttlMs)} old, unless the caller sends its Habitat-Session.`;
}

/** *cached for 10 seconds*, for the fold; nothing for a type that is not cached. */
export function cacheWords(document: Parameters<typeof valueAt>[0]): string {
  const ttlMs = ttlOf(document);
  return ttlMs === null ? '' : ` · cached for ${timeWords(ttlMs)}`;
}

function ttlOf(document: Parameters<typeof valueAt>[0]): number | null {
  const ttlMs = valueAt(document, 'cache.ttlMs');
  return typeof ttlMs === 'number' ? ttlMs : null;
}
