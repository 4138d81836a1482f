import type { SealedBatch } from '#gateway/content/sealed-counts.ts';
import type { RequestRecord } from '#gateway/contract/telemetry.ts';
import type { GatewayEnv } from '#gateway/env.ts';
import type { PolicyAnswer, PolicyQuestion } from '#gateway/policy/question.ts';
import type { LoadedRelease } from '#gateway/release/source.ts';
import type { RegionStatus } from '#gateway/store/regions/health.ts';
import type { StoreMemory } from '#gateway/store/store-memory.ts';
import type { MisfitBatch } from '#gateway/telemetry/misfits.ts';
import type { SeriesBatch } from '#gateway/telemetry/series.ts';

/** What a serving thread is started with. */
export interface WorkerStart {
  readonly env: GatewayEnv;
  readonly worker: number;
  /** The port that all workers share; already known to be free. */
  readonly port: number;
  readonly quotas: SharedArrayBuffer;
  readonly storeMemory: StoreMemory;
  /** Name of the audit stream that this worker alone writes. */
  readonly stream: string;
}

/**
 * A release for a serving thread, with the tenants' places in the quota table. All that is large in it is shared memory, so
 * that taking the message costs a serving thread the same for any release.
 */
export interface ReleaseMessage extends Omit<LoadedRelease, 'parseMs'> {
  readonly kind: 'release';
  readonly slots: Int32Array<SharedArrayBuffer>;
}

export type ToWorker =
  | ReleaseMessage
  | { readonly kind: 'decided'; readonly id: number; readonly answer: PolicyAnswer | null }
  | { readonly kind: 'told'; readonly id: number; readonly text: string }
  | { readonly kind: 'drain' };

export interface WorkerStatus {
  readonly inFlight: number;
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
  readonly auditLost: number;
  /** The store's regions as this worker knows them. */
  readonly regions: readonly RegionStatus[];
}

export type FromWorker =
  | { readonly kind: 'listening'; readonly port: number }
  /** The worker serves this release now, or says why it cannot. */
  | { readonly kind: 'swapped'; readonly sha256: string; readonly problem: string | null }
  | { readonly kind: 'decide'; readonly id: number; readonly sha256: string; readonly question: PolicyQuestion }
  | { readonly kind: 'ask'; readonly id: number; readonly what: 'metrics' | 'readiness' }
  | { readonly kind: 'series'; readonly batch: SeriesBatch }
  | { readonly kind: 'records'; readonly records: readonly RequestRecord[] }
  | { readonly kind: 'misfits'; readonly batch: MisfitBatch }
  | { readonly kind: 'sealed'; readonly batch: SealedBatch }
  | ({ readonly kind: 'status' } & WorkerStatus)
  | { readonly kind: 'say'; readonly sentence: string }
  | { readonly kind: 'drained' };

/** A release for the policy thread. */
export type PolicyRelease = Pick<LoadedRelease, 'sha256' | 'table'>;

export type ToPolicy =
  | { readonly kind: 'load'; readonly release: PolicyRelease }
  | { readonly kind: 'decide'; readonly sha256: string; readonly question: PolicyQuestion };

export type FromPolicy =
  | { readonly kind: 'loaded'; readonly problem: string | null }
  | { readonly kind: 'decided'; readonly answer: PolicyAnswer | null };

/** What the release thread is started with. */
export interface ReleasesStart {
  readonly env: Pick<GatewayEnv, 'consoleUrl' | 'name' | 'token' | 'trust'>;
  /** Folder of the last good release. */
  readonly dir: string;
}

export type ToReleases = { readonly kind: 'fetch' | 'keep'; readonly sha256: string } | { readonly kind: 'kept' };

export type FromReleases =
  | { readonly kind: 'release'; readonly release: LoadedRelease | null }
  | { readonly kind: 'done' }
  | { readonly kind: 'rejected' | 'away' | 'failed'; readonly message: string };

/** A question to a thread that answers each by its number. */
export interface Numbered<T> {
  readonly id: number;
  readonly message: T;
}
