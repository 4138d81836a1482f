import type * as Real from '#gateway/pipeline/authorize.ts';

/** Grants whatever is asked. */
export const authorize: typeof Real.authorize = (target) => ({ ...target, policy: null }) as unknown as Real.Grant;
