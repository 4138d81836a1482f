import type { Side } from '#gateway/contract/errors.ts';

/** Whose side a refusal is on, as pages say it. */
export const SIDE_WORDS: Readonly<Record<Side, string>> = {
  caller: "the caller's request",
  policy: 'policy',
  quota: "the tenant's quota",
  habitat: 'Habitat',
  store: 'the store',
};
