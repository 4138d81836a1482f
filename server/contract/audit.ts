import { z } from 'zod';
import { PageQuery, page } from './paging.ts';

export const AUDIT_TABS = ['changes', 'refusals', 'writes', 'agents', 'everything'] as const;

/**
 * GET /api/audit. `filter` is the typed filter line: words `actor: kind: token: did: type: tenant: policy: release:
 * request: after: before:` (quoted values, negation by a leading `-`), all else free text over names. One that cannot be read
 * is `invalid_input` with its position.
 */
export const AuditQuery = PageQuery.extend({
  tab: z.enum(AUDIT_TABS).default('everything'),
  filter: z.string().max(500).default(''),
});

export const AuditEvent = z.object({
  id: z.string(),
  atMs: z.int(),
  source: z.enum(['console', 'gateway']),
  actor: z.string(),
  /** engineer, security, …; service principal, agent, …; system */
  actorKind: z.string(),
  did: z.string(),
  /** What it was done to, in words and as a link when it has a page. */
  what: z.string(),
  href: z.string().nullable(),
  because: z.string().nullable(),
  /** Name of the token that the actor came with; it stays when the token goes. */
  token: z.string().nullable().optional(),
  tenant: z.string().nullable(),
  release: z.int().nullable(),
  requestId: z.string().nullable(),
  outcome: z.string().nullable(),
  /** How many equal ones a gateway folded into this row. */
  count: z.int(),
  before: z.unknown().nullable(),
  after: z.unknown().nullable(),
  /** Stream and sequence of a gateway's row. */
  stream: z.string().nullable(),
  seq: z.int().nullable(),
});
export type AuditEvent = z.infer<typeof AuditEvent>;
export const AuditPage = page(AuditEvent).extend({
  /** The log is whole up to here, and so many rows lie on gateways' spools. */
  wholeUpToMs: z.int(),
  unaudited: z.int(),
});
