import { z } from 'zod';
import { ACTOR_KINDS } from '#gateway/contract/definitions/principal.ts';
import { ErrorCode } from '#gateway/contract/errors.ts';
import { Operation } from '#gateway/contract/telemetry.ts';

/** A kind of refused call is told of until the last of them is this old; the audit log has each refusal. */
export const REFUSALS_KEPT_DAYS = 90;

/** Calls of one principal on one type that a release is the first to refuse. */
export const Denial = z.object({
  principal: z.string(),
  actorKind: z.enum(ACTOR_KINDS).nullable(),
  /** Whose data was asked for. */
  tenant: z.string(),
  /** What was refused: an object type, or of edge operations the edge type. */
  type: z.string(),
  kind: z.enum(['objectType', 'edgeType']),
  operations: z.array(Operation),
  code: ErrorCode,
  /** The policy that forbids it; null when nothing permits it any more, or when policy is not the cause. */
  policy: z.string().nullable(),
  /** The policies that permitted it before. */
  permittedBy: z.array(z.string()),
  requests: z.int(),
  firstMs: z.int(),
  lastMs: z.int(),
  /** One of the newest of these requests. */
  requestId: z.string(),
  /** The release that permits it again; null while nothing does. */
  until: z.int().nullable(),
});
export type Denial = z.infer<typeof Denial>;

/** GET /api/releases/{number}/denials */
export const ReleaseDenials = z.object({
  /** The release that gateways served before, by which *because of* is judged; null for the first. */
  base: z.int().nullable(),
  /** Refusals are counted up to this release: those under later ones have the same cause while nothing permits the call. */
  through: z.int(),
  /** Most requests first, at most 200. */
  denials: z.array(Denial),
  total: z.object({ denials: z.int(), principals: z.int(), requests: z.int() }),
  /** Kinds of call that are refused now and were before. */
  refusedBefore: z.int(),
  /** False: there were more kinds of refused call than are decided anew; those with the most requests were. */
  isWhole: z.boolean(),
  /** The release is older than refusals are kept for: calls that it refused and that came no more are not told. */
  isForgotten: z.boolean(),
  /** Tenants with refusals whose traffic is not for who asks. */
  hiddenTenants: z.int(),
});
export type ReleaseDenials = z.infer<typeof ReleaseDenials>;
