import { z } from 'zod';
import { Action } from './actions.ts';
import { DEFINITION_KINDS } from './definitions/definition.ts';
import { EdgeTypeDocument } from './definitions/edge-type.ts';
import { ObjectTypeDocument } from './definitions/object-type.ts';
import { PrincipalDocument } from './definitions/principal.ts';
import { TenantDocument } from './definitions/tenant.ts';
import { EdgeTypeName, ObjectTypeName, PolicyName, PrincipalName, Sha256Hex, TeamName, TenantName } from './ids.ts';

/**
 * The highest release format this code reads; a gateway refuses a release with a higher one, whole. In format 1 every
 * section is its items; in format 2 a large one lies in parts (`SectionParts`).
 */
export const RELEASE_FORMAT = 2;

/** Kinds of sections a release may have. A gateway that meets another kind refuses the release. */
export const SECTION_KINDS = [...DEFINITION_KINDS, 'key', 'probe'] as const;
export type SectionKind = (typeof SECTION_KINDS)[number];

/** Order of releases: a restored database raises the epoch; within one the number grows by one. */
export const ReleaseId = z.object({ epoch: z.int().min(1), number: z.int().min(1) });
export type ReleaseId = z.infer<typeof ReleaseId>;

/**
 * Negative when `a` is older than `b`, zero when equal, positive when newer.
 */
export function compareReleases(a: ReleaseId, b: ReleaseId): number {
  return a.epoch - b.epoch || a.number - b.number;
}

/**
 * The header of a release. `sha256` is the hash of the canonical JSON (keys sorted, no spaces) of every other field but
 * `signature`; `signature` is a compact JWS (EdDSA, RFC 8037) whose payload is the bytes of that hash in hex.
 * Section kinds are plain strings here, so that a gateway can name a kind it does not know when it refuses. `bytes` of a
 * section are those of its items, all parts together.
 */
export const ReleaseHeader = z.object({
  formatVersion: z.int().min(1),
  epoch: z.int().min(1),
  number: z.int().min(1),
  createdAtMs: z.int(),
  /** Lowest gateway version (semver core, `1.4.0`) that may serve this release. */
  minGatewayVersion: z.string(),
  sections: z.array(z.object({ kind: z.string(), sha256: Sha256Hex, bytes: z.int().min(0) })),
  /** sha256 of the release before this one; null for the first. */
  previous: Sha256Hex.nullable(),
  sha256: Sha256Hex,
  signature: z.string(),
});
export type ReleaseHeader = z.infer<typeof ReleaseHeader>;

/**
 * What a large section holds instead of items: the hashes of its parts, each again items or parts. So one hash in the
 * signed header stands for all of it, and a gateway fetches of a large section only the parts that it lacks.
 */
export const SectionParts = z.strictObject({ parts: z.array(Sha256Hex).min(1).max(64) });

/** Section `objectType`: UTF-8 JSON of this shape, items sorted by name. The other sections likewise. */
export const ObjectTypeSection = z.object({
  items: z.array(z.object({ name: ObjectTypeName, ...ObjectTypeDocument.shape })),
});

/** `derivedFrom` is set on an inverse: the forward edge type whose edges it mirrors. */
export const EdgeTypeSection = z.object({
  items: z.array(z.object({ name: EdgeTypeName, ...EdgeTypeDocument.shape, derivedFrom: EdgeTypeName.optional() })),
});

export const PolicySection = z.object({
  items: z.array(z.object({ name: PolicyName, ownerTeam: TeamName, cedar: z.string() })),
});

export const TenantSection = z.object({
  items: z.array(z.object({ name: TenantName, ...TenantDocument.shape })),
});

export const PrincipalSection = z.object({
  items: z.array(z.object({ name: PrincipalName, ...PrincipalDocument.shape })),
});

/** Keys of principals: only the SHA-256 of the 256-bit secret travels, never the secret. */
export const KeySection = z.object({
  items: z.array(
    z.object({
      id: z.string().regex(/^[A-Za-z0-9]{12}$/),
      principal: PrincipalName,
      secretSha256: Sha256Hex,
      expiresAtMs: z.int().nullable(),
    }),
  ),
});

/** Known-allow and known-deny decisions that a gateway must reproduce before it acks. */
export const ProbeSection = z.object({
  items: z.array(
    z.object({
      principal: PrincipalName,
      tenant: TenantName,
      action: Action,
      resource: z.string(),
      expect: z.enum(['allow', 'deny']),
    }),
  ),
});

/** Every known section's schema by kind. */
export const SECTION_SCHEMAS = {
  objectType: ObjectTypeSection,
  edgeType: EdgeTypeSection,
  policy: PolicySection,
  tenant: TenantSection,
  principal: PrincipalSection,
  key: KeySection,
  probe: ProbeSection,
} as const satisfies Record<SectionKind, z.ZodType>;

export type SectionOf<K extends SectionKind> = z.infer<(typeof SECTION_SCHEMAS)[K]>;

/**
 * JSON with sorted keys and no spaces, the form that is hashed and signed. Takes plain data only.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${entries.join(',')}}`;
}

/** The bytes of a release header that its hash covers. */
export function hashedPartOf(header: Omit<ReleaseHeader, 'sha256' | 'signature'>): string {
  const { formatVersion, epoch, number, createdAtMs, minGatewayVersion, sections, previous } = header;
  return canonicalJson({ formatVersion, epoch, number, createdAtMs, minGatewayVersion, sections, previous });
}
