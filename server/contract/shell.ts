import { z } from 'zod';
import { Person } from './people.ts';
import { Freeze, RollbackOf } from './rollouts.ts';

/** State of a gateway against the target release, as the rail shows it. *waiting*: its stage of the rollout is not open yet. */
export const GATEWAY_STATES = ['live', 'applying', 'rejected', 'behind', 'silent', 'too old', 'waiting'] as const;
export const GatewayState = z.enum(GATEWAY_STATES);
export type GatewayState = z.infer<typeof GatewayState>;

/** A rollback of which some definition is still as it left it. POST /api/releases/{number}/rollback/read ends the telling. */
const StandingRollback = z.object({
  release: z.int(),
  of: RollbackOf,
  by: Person,
  reason: z.string(),
  sinceMs: z.int(),
  /** Definitions nobody changed since: how many, and the first names. */
  holds: z.object({ count: z.int(), names: z.array(z.string()) }),
});
export type StandingRollback = z.infer<typeof StandingRollback>;

/** GET /api/shell: what the frame around every page shows. */
export const Shell = z.object({
  installation: z.string(),
  /** Number of the newest published release; null before the first. */
  target: z.int().nullable(),
  gateways: z.array(z.object({ name: z.string(), state: GatewayState, serves: z.int().nullable() })),
  inboxCount: z.int(),
  openChanges: z.int(),
  /** Null unless publishing is stopped. */
  freeze: Freeze.nullable(),
  /** Rollbacks that still hold and that the person has not marked as read, newest first. */
  rolledBack: z.array(StandingRollback),
  /** Every gateway that is heard of finds the region that takes writes away; null while one of them can write. */
  cannotWrite: z.object({ region: z.string(), account: z.string(), sinceMs: z.int() }).nullable(),
  /** Where snippets send requests. */
  gatewayUrl: z.string(),
  /** True only in the embedded default: `.habitat/demo-key` exists. */
  embedded: z.boolean(),
  /** The command line that reads the demo key, e.g. `cat .habitat/demo-key`; absent when not embedded. */
  demoKeyCommand: z.string().optional(),
});
export type Shell = z.infer<typeof Shell>;

/**
 * GET /api/live (text/event-stream): `{topic, seq}` only; data is fetched again through its verb, so rights always
 * apply. A comment line every 15 s. `change:<n>` and `release:<n>` are for one of them, the others for the lists.
 */
export const LIVE_TOPICS = [
  'shell',
  'changes',
  'releases',
  'gateways',
  'telemetry',
  'audit',
  'inbox',
  'settings',
  'cosmos',
] as const;
export const LiveEvent = z.object({ topic: z.enum(LIVE_TOPICS), seq: z.int() });
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/** GET /api/home */
export const Home = z.object({
  needsYou: z.array(z.object({ text: z.string(), href: z.string(), sinceMs: z.int() })),
  rightNow: z.array(
    z.object({
      text: z.string(),
      href: z.string(),
      severity: z.enum(['warning', 'error']),
      /** When it began; null where that lies before what was looked at, or is not known. */
      sinceMs: z.int().nullable(),
    }),
  ),
  lately: z.array(z.object({ text: z.string(), href: z.string(), atMs: z.int() })),
  /** Ticked from observed facts only. */
  firstSteps: z.array(z.object({ id: z.string(), text: z.string(), href: z.string(), done: z.boolean() })),
});
export type Home = z.infer<typeof Home>;

/** GET /api/inbox: items close by themselves when handled. */
export const Inbox = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['review', 'change', 'follow-up', 'gateway']),
      text: z.string(),
      href: z.string(),
      atMs: z.int(),
      /** A follow-up review is closed by a person: POST /api/inbox/{id}/close. */
      closable: z.boolean(),
    }),
  ),
});
export type Inbox = z.infer<typeof Inbox>;
