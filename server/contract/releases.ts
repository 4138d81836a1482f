import { z } from 'zod';
import { StoreRegion } from '#gateway/contract/machine-api.ts';
import { Edit, Possible, SpineStep } from './changes.ts';
import { Effect } from './effect.ts';
import { PageQuery, page } from './paging.ts';
import { Person } from './people.ts';
import { RollbackOf, RolloutView } from './rollouts.ts';
import { GatewayState } from './shell.ts';

export const ReleaseRow = z.object({
  number: z.int(),
  atMs: z.int(),
  by: Person,
  approvedBy: Person.nullable(),
  selfApproved: z.boolean(),
  /** Why it exists: a change, an act on a key, the first seed. */
  cause: z.string(),
  change: z.int().nullable(),
  emergency: z.boolean(),
  /** What it undid; null unless it is a rollback. */
  rollback: RollbackOf.nullable(),
  /** The release that undid it. */
  undoneBy: z.int().nullable(),
  isTarget: z.boolean(),
  /** *Live on 1 of 1*, *Not live: no gateway is connected*, … */
  state: z.string(),
  /** Publish to the last gateway's ack, milliseconds; null while not all-live. */
  timeToAllLiveMs: z.int().nullable(),
});
export type ReleaseRow = z.infer<typeof ReleaseRow>;
export const ReleasePage = page(ReleaseRow);
/** `q`: words, each of them in why it exists or who published or approved it, or a number: `r12`. */
export const ReleaseQuery = PageQuery.extend({ q: z.string().trim().max(100).optional() });

/** One gateway's answer to one release. */
export const GatewayAnswer = z.object({
  gateway: z.string(),
  state: GatewayState,
  serves: z.int().nullable(),
  atMs: z.int().nullable(),
  /** Publish to this gateway's ack, milliseconds. */
  afterMs: z.int().nullable(),
  reason: z.string().nullable(),
  probesPassed: z.int().nullable(),
  version: z.string(),
  /** It drained, was retired, or was silent for a day; it no longer counts. */
  left: z.boolean(),
});

/** GET /api/releases/{number}/diff?with=… */
export const CompareQuery = z.object({ with: z.coerce.number().int().min(1).max(2_147_483_647) });
export const ReleaseDiff = z.object({
  from: z.int(),
  to: z.int(),
  edits: z.array(Edit),
  effects: z.array(Effect),
});
export type ReleaseDiff = z.infer<typeof ReleaseDiff>;

/** GET /api/releases/{number} */
export const ReleaseDetail = z.object({
  row: ReleaseRow,
  sha256: z.string(),
  previous: z.string().nullable(),
  signingKeyId: z.string(),
  formatVersion: z.int(),
  sections: z.array(z.object({ kind: z.string(), sha256: z.string(), bytes: z.int(), changed: z.boolean() })),
  gateways: z.array(GatewayAnswer),
  edits: z.array(Edit),
  spine: z.array(SpineStep),
  /** Null when it went to all gateways at once. */
  rollout: RolloutView.nullable(),
  may: z.object({ rollBack: Possible, promote: Possible, halt: Possible, resume: Possible }),
});
export type ReleaseDetail = z.infer<typeof ReleaseDetail>;

/** GET /api/gateways */
export const GatewayRow = z.object({
  name: z.string(),
  state: GatewayState,
  serves: z.int().nullable(),
  version: z.string(),
  url: z.string(),
  startedAtMs: z.int(),
  lastHeardMs: z.int(),
  reason: z.string().nullable(),
  workers: z.array(
    z.object({ worker: z.int(), inFlight: z.int(), loopDelayP99Ms: z.number(), loopDelayMaxMs: z.number() }),
  ),
  auditBacklog: z.int(),
  storeReachable: z.boolean(),
  storeMessage: z.string(),
  /** Regions of the store as its workers see them together; empty from a gateway that does not tell them. */
  storeRegions: z.array(StoreRegion),
});
export type GatewayRow = z.infer<typeof GatewayRow>;
export const Gateways = z.object({ target: z.int().nullable(), gateways: z.array(GatewayRow) });
