import type { EntryEnd } from '#gateway/feed/feed-port.ts';
import { deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { recount } from '#gateway/store/repair/recount.ts';
import { verifyInverses } from '#gateway/store/repair/verify-inverses.ts';
import { type FeedRules, objectOf } from './feed-rules.ts';

/** A large object takes longer than its turn among other entries: it goes on beside them. */
const TURN_MS = 1_000;
/** What is larger would not fit a gateway's memory; `npm run repair` has a process of its own. */
const MOST_ITEMS = 100_000;

interface Recounting {
  readonly rules: FeedRules;
  readonly newCall: () => WriteCall;
}

/**
 * Sets right what does not agree of an object: its head from what is stored, and both halves of its mirrored edges. One
 * run an object at a time; whoever asks meanwhile is told that it is `taken`.
 */
export function createRecounts(parts: StoreParts, on: Recounting): (pk: string) => Promise<EntryEnd> {
  const underway = new Map<string, Promise<EntryEnd>>();
  return async (pk) => {
    const run = underway.get(pk) ?? recountObject(parts, { ...on, pk }).catch(failed);
    underway.set(pk, run);
    const end = await within(run, TURN_MS);
    if (end === null) return { kind: 'taken' };
    underway.delete(pk);
    return end;
  };
}

async function recountObject(
  parts: StoreParts,
  { pk, rules, newCall }: Recounting & { readonly pk: string },
): Promise<EntryEnd> {
  const call = newCall();
  const counted = await recount(parts, { pk, fix: true, mostItems: MOST_ITEMS }, call);
  if (isDenial(counted)) return counted;
  const key = objectOf(pk);
  if (key === null) return { kind: 'done' };
  const { items } = counted;
  const verified = await verifyInverses(parts, { key, items, rules: rules.mirrored(key.type), fix: true }, call);
  return isDenial(verified) ? verified : { kind: 'done' };
}

function failed(error: unknown): EntryEnd {
  return deny('internal', error instanceof Error ? error.message : String(error));
}

async function within<T>(run: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([run, late]);
  } finally {
    clearTimeout(timer);
  }
}
