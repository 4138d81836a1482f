import { z } from 'zod';
import { Definition, DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { ObjectId, TenantName } from '#gateway/contract/ids.ts';
import { Operation } from '#gateway/contract/telemetry.ts';
import { PolicyTestResult } from './changes.ts';
import { ManagedBy } from './managed-by.ts';
import { PageQuery, page } from './paging.ts';
import { Person } from './people.ts';
import { EndedRollout } from './rollouts.ts';

/** GET /api/definitions?kind=…&q=…&team=…: one list serves every kind; `kind=type` means objectType and edgeType. */
export const DefinitionQuery = PageQuery.extend({
  kind: z.enum(['type', ...DefinitionKind.options]),
  q: z.string().trim().max(100).optional(),
  /** Only definitions owned by this team; `mine` means the teams of whoever asks. */
  team: z.string().max(48).optional(),
  /** `mine`: what the teams of whoever asks own comes before all else. */
  first: z.enum(['mine']).optional(),
  /** How far on its way out; absent: everything that is published. */
  state: z.enum(['active', 'deprecated', 'removed']).optional(),
});

/** How far a definition is on its way out. Kinds without a lifecycle are active until they are removed. */
export const DEFINITION_STATES = ['active', 'deprecated-warn', 'deprecated-error', 'removed'] as const;
export const DefinitionState = z.enum(DEFINITION_STATES);
export type DefinitionState = z.infer<typeof DefinitionState>;

/** What one operation on a type cost lately: RU of a served request, and how many there were. */
export const OperationCost = z.object({
  operation: Operation,
  ru: z.number(),
  requests: z.number(),
  /** Share of what caches were asked for that they had; null when they were not asked. */
  cached: z.number().nullable(),
});
export type OperationCost = z.infer<typeof OperationCost>;

export const DefinitionRow = z.object({
  kind: DefinitionKind,
  name: z.string(),
  ownerTeam: z.string(),
  description: z.string(),
  revision: z.int(),
  /** Release in which this revision was first published. */
  release: z.int(),
  changedAtMs: z.int(),
  changedBy: Person,
  /** Kind-specific words: ends of an edge type, classification, quotas, tenant of a principal. */
  summary: z.string(),
  state: DefinitionState,
  /** Of types: when anybody last asked for one, over 30 days, and what its operations cost over 7. */
  use: z.object({ lastUsedMs: z.int().nullable(), cost: z.array(OperationCost) }).nullable(),
});
export const DefinitionPage = page(DefinitionRow);
export type DefinitionRow = z.infer<typeof DefinitionRow>;

/** One revision of a definition; `document` null means it was removed by that release. */
export const Revision = z.object({
  revision: z.int(),
  release: z.int(),
  change: z.int().nullable(),
  atMs: z.int(),
  author: Person,
  approvedBy: Person.nullable(),
  selfApproved: z.boolean(),
  reason: z.string(),
  document: z.unknown().nullable(),
});

/** Who may use a type: one line per principal that policy lets do at least one action, decided under the target release. */
export const TypeUser = z.object({
  principal: z.string(),
  actorKind: z.string(),
  tenant: z.string(),
  actions: z.array(z.string()),
  policies: z.array(z.string()),
  requests24h: z.int(),
  lastUsedMs: z.int().nullable(),
  /** Whoever asks may not see the traffic of this principal's tenant: the two figures above say nothing then. */
  trafficHidden: z.boolean().default(false),
});

/** An edge type beside a type. */
export const Neighbour = z.object({
  edge: z.string(),
  from: z.string(),
  to: z.string(),
  cardinality: z.enum(['one', 'many']),
  /** The edge type that mirrors it. */
  inverse: z.string().nullable(),
  /** The edge type that it is the inverse of. */
  mirrors: z.string().nullable(),
  state: DefinitionState,
});
export type Neighbour = z.infer<typeof Neighbour>;

/** Lines on one side of the picture of a type: what can be taken in at a look, and half a screen high. */
export const MAX_DRAWN = 10;
/** The edge types around a type, as far as its page needs them at once. */
export const Neighbourhood = z.object({
  total: z.int(),
  /** How many lines a picture of all would have: an inverse lies on the line that it mirrors. */
  lines: z.int(),
  /** Those that the picture has room for. */
  drawn: z.array(Neighbour),
});
export type Neighbourhood = z.infer<typeof Neighbourhood>;

/** GET /api/definitions/{kind}/{name}/neighbours: by name. `out`: those that start at the type and are no inverse. */
export const NeighbourQuery = PageQuery.extend({
  q: z.string().trim().max(100).optional(),
  way: z.enum(['all', 'out']).default('all'),
});
export const NeighbourPage = page(Neighbour);

/** What gateways counted in the store, as of the oldest part of their count. */
export const StoredByType = z.object({
  asOfMs: z.int(),
  types: z.array(z.object({ type: z.string(), count: z.int(), bytes: z.int() })),
  /** Of an object type: what its largest object takes with its edges, where that is known. */
  largestBytes: z.int().nullable().optional(),
  /** Of an edge type: how many of it the object with most of them has, where that is known. */
  longestList: z.int().nullable().optional(),
});
export type StoredByType = z.infer<typeof StoredByType>;

/** A page of one definition lists no more of those that are related to it. */
export const MAX_RELATED = 200;

/** GET /api/definitions/{kind}/{name} */
export const DefinitionDetail = z.object({
  definition: Definition,
  row: DefinitionRow,
  history: z.array(Revision),
  /** For types. */
  users: z.array(TypeUser),
  /** Set for a type that was removed: the definition is then as it was last, and can be restored. */
  removed: z.object({ release: z.int(), by: Person, atMs: z.int() }).nullable(),
  /** Definitions that name this one, and those it names, policies first; at most `MAX_RELATED`. */
  relatedTo: z.array(z.object({ kind: DefinitionKind, name: z.string(), how: z.string() })),
  /** How many there are in all. */
  relatedTotal: z.int(),
  /** Of an object type the edge types at it, of an edge type those between the same two object types. */
  neighbours: Neighbourhood.optional(),
  /** Of a policy: how its tests come out under what is published. */
  tests: z.array(PolicyTestResult).optional(),
  /** The repository that keeps it; null for one kept in the console. */
  managedBy: ManagedBy.nullable().optional(),
  /**
   * Of a type what is stored under it over all tenants, of a tenant what is stored of it by type. Null until everything was
   * counted once; absent for other kinds, and where the asker may not see the tenant's traffic.
   */
  stored: StoredByType.nullable().optional(),
  /** Open changes that touch it. */
  openChanges: z.array(z.object({ number: z.int(), title: z.string(), state: z.string() })),
});
export type DefinitionDetail = z.infer<typeof DefinitionDetail>;

/**
 * GET /api/definitions/{kind}/{name}/received?sinceMs=…: the newest request for a type, for *Received: …*; of one operation, tenant
 * or object where that is given. Traffic rights apply.
 */
export const ReceivedQuery = z.object({
  sinceMs: z.coerce.number().int().min(0),
  operation: Operation.optional(),
  tenant: TenantName.optional(),
  objectId: ObjectId.optional(),
});
export const Received = z.object({
  request: z
    .object({
      id: z.string(),
      atMs: z.int(),
      status: z.int(),
      code: z.string().nullable(),
      message: z.string().nullable(),
      release: z.int().nullable(),
      ru: z.number(),
      operation: z.string().nullable(),
    })
    .nullable(),
});

/** A key of a principal. The secret was shown once. */
export const PrincipalKey = z.object({
  id: z.string(),
  label: z.string(),
  createdAtMs: z.int(),
  createdBy: Person,
  expiresAtMs: z.int().nullable(),
  revokedAtMs: z.int().nullable(),
  revokedBy: Person.nullable(),
  revokeReason: z.string().nullable(),
  lastUsedMs: z.int().nullable(),
});
export type PrincipalKey = z.infer<typeof PrincipalKey>;

/** GET /api/principals/{name}/keys */
export const PrincipalKeys = z.object({
  keys: z.array(PrincipalKey),
  mayCreate: z.boolean(),
  mayRevoke: z.boolean(),
  why: z.string(),
  /** The rollout that a revocation ends. */
  revokeEnds: EndedRollout.nullable(),
});
/** POST /api/principals/{name}/keys: publishes a release at once; it can do only what published grants allow. */
export const CreateKey = z.strictObject({
  label: z.string().trim().min(1).max(80),
  expiresInDays: z.int().min(1).max(3650).nullable(),
});
/** `release` is null while another release goes out in stages; the key works after what `waitsFor` says. */
export const CreatedKey = z.object({
  key: PrincipalKey,
  secret: z.string(),
  release: z.int().nullable(),
  waitsFor: z.string().nullable(),
});
/** POST /api/keys/{id}/revoke: a narrowing act, no review; publishes at once and leaves a follow-up review. */
export const RevokeKey = z.strictObject({
  reason: z.string().trim().min(3, 'Say why, in three characters or more.').max(500),
});
export const Published = z.object({ release: z.int() });
/** A publish may also wait: `release` is null then, and `waitsFor` says for what. */
export const PublishedOrQueued = z.object({ release: z.int().nullable(), waitsFor: z.string().nullable() });
