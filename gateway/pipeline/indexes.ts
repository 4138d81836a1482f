import type { ObjectTypeDocument } from '#gateway/contract/definitions/object-type.ts';
import type { PrincipalDocument } from '#gateway/contract/definitions/principal.ts';
import type { TenantDocument } from '#gateway/contract/definitions/tenant.ts';
import type { EdgeTypeName, ObjectTypeName, PrincipalName, TenantName } from '#gateway/contract/ids.ts';
import type { ReleaseId } from '#gateway/contract/release.ts';
import type { PolicyAnswer } from '#gateway/policy/question.ts';
import type { ContentCheck } from './content-check.ts';
import type { EdgeRule } from './store-port.ts';

export interface TenantEntry extends Pick<TenantDocument, 'quotas' | 'mode' | 'ownerTeam'> {
  readonly name: TenantName;
  /** Place of the tenant's buckets in the shared quota table. */
  readonly slot: number;
}

/** How far a type is on its way out. */
export interface LifecycleEntry {
  /** Requests are refused instead of served. */
  readonly isRefused: boolean;
  readonly since: string;
  readonly sunset: string | null;
  readonly replacement: string | null;
  /** Its entry in `Habitat-Deprecated`. */
  readonly header: string;
}

/** What content of a type is checked against when it is written. */
export interface ContentRule {
  readonly mode: 'warn' | 'enforce';
  /** Compiled when the first content comes, then kept for as long as the release. */
  readonly check: ContentCheck;
}

export interface ObjectTypeEntry extends Pick<ObjectTypeDocument, 'maxBytes' | 'audit'> {
  readonly name: ObjectTypeName;
  /** How old what a read finds may be; null when every read asks the store. */
  readonly cacheTtlMs: number | null;
  /** Null when content may be anything. */
  readonly contentRule: ContentRule | null;
  /** Its edge types that have an inverse or are one: a delete has to reach further partitions for them. */
  readonly mirrored: readonly EdgeRule[];
  /** Null while the type is active. */
  readonly lifecycle: LifecycleEntry | null;
}

export interface EdgeTypeEntry {
  readonly name: EdgeTypeName;
  readonly rule: EdgeRule;
  readonly listCap: number;
  readonly dataMaxBytes: number;
  readonly cacheTtlMs: number | null;
  readonly audit: ObjectTypeDocument['audit'];
  readonly lifecycle: LifecycleEntry | null;
}

export interface PrincipalEntry extends Pick<PrincipalDocument, 'actorKind' | 'groups' | 'disabled'> {
  readonly name: PrincipalName;
  readonly tenant: TenantName;
}

export interface KeyEntry {
  readonly id: string;
  readonly principal: PrincipalEntry;
  readonly secretSha256: string;
  readonly expiresAtMs: number | null;
}

/** Finds an entry by its name. */
export interface Lookup<T> {
  get(name: string): T | undefined;
}

/**
 * A release as the request path reads it. Made whole, then swapped in by one assignment; a request reads the one it
 * began with to its end. The two caches die with the release, so nothing outlives a publish.
 */
export interface Indexes {
  readonly release: ReleaseId;
  readonly sha256: string;
  readonly tenants: Lookup<TenantEntry>;
  readonly objectTypes: Lookup<ObjectTypeEntry>;
  readonly edgeTypes: Lookup<EdgeTypeEntry>;
  readonly keys: Lookup<KeyEntry>;
  /** Bearer tokens that were checked under this release. */
  readonly authenticated: Map<string, KeyEntry>;
  /** Decisions made under this release, by decision key. */
  readonly decisions: Map<string, PolicyAnswer>;
}
