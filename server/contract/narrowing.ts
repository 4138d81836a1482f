import { z } from 'zod';
import { TenantQuotas } from '#gateway/contract/definitions/tenant.ts';
import { Possible } from './changes.ts';
import { Effect } from './effect.ts';
import { EndedRollout } from './rollouts.ts';

const reason = z.string().trim().min(3, 'Say why, in three characters or more.').max(500);

/**
 * GET of a narrowing act's path: what it would cut off, without doing it. Narrowing acts need no review, publish at once to
 * all gateways, read *Emergency* and leave a follow-up review.
 */
export const NarrowingPreview = z.object({
  possible: Possible,
  /** Who loses what, in numbers of the last 24 h; only what whoever asks may see. */
  cuts: z.array(z.string()),
  effects: z.array(Effect),
  /** The rollout that it ends. */
  ends: EndedRollout.nullable(),
});
export type NarrowingPreview = z.infer<typeof NarrowingPreview>;

/** POST /api/principals/{name}/disable, POST /api/policies/{name}/switch-off */
export const Narrow = z.strictObject({ reason });
/** POST /api/tenants/{tenant}/lower-quota: what is absent stays. No limit may be above what is published. */
export const LowerQuota = z.strictObject({ quotas: TenantQuotas.partial(), reason });
