import type { CompactVerifyGetKey } from 'jose';
import { type Ack, MANIFEST_WAIT_MS, type ManifestStatement } from '#gateway/contract/machine-api.ts';
import { compareReleases, type ReleaseId } from '#gateway/contract/release.ts';
import { GATEWAY_VERSION } from '#gateway/version.ts';
import { type Acks, createAcks } from './acks.ts';
import type { ConsoleClient } from './console-client.ts';
import { ConsoleAway, ReleaseRejected } from './release-rejected.ts';
import type { LoadedRelease, ReleaseSource } from './source.ts';
import { claimOf, verifyManifest } from './verify.ts';

/** A rejected release is tried again this often: what was wrong may have been mended under the same hash. */
const RETRY_REJECTED_MS = 30_000;
const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5_000;
const MAX_REASON = 2_000;

export interface FollowPorts {
  readonly client: ConsoleClient;
  readonly trust: CompactVerifyGetKey;
  readonly gateway: string;
  readonly source: ReleaseSource;
  /** Makes all workers serve a release. Throws `ReleaseRejected`; then all serve what they served before. */
  activate(release: LoadedRelease): Promise<{ readonly probesPassed: number; readonly parseMs: number }>;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly say: (sentence: string) => void;
}

export interface Follower {
  /** Serves the kept release, if there is a good one, then follows the console until stopped. */
  start(): Promise<void>;
  stop(): void;
  serves(): ReleaseId | null;
  /** Whether the console answered the last question. */
  hasContact(): boolean;
  retryAck(): Promise<void>;
}

/** How a release came to be served, for its ack. */
interface Activation {
  readonly durationMs: number;
  readonly parseMs: number;
  readonly probesPassed: number;
}

interface State {
  served: (Pick<LoadedRelease, 'id' | 'sha256'> & { readonly how: Activation }) | null;
  rejected: { readonly sha256: string; readonly atMs: number } | null;
  /** Whether the console was told that `served` is live. */
  isAcked: boolean;
  contact: boolean;
}

/** Follows the target release: pull, verify, activate, ack; never backwards, and never without the last good one. */
export function createFollower(ports: FollowPorts): Follower {
  const state: State = { served: null, rejected: null, isAcked: false, contact: false };
  const acks = createAcks(ports.client, ports.say);
  const stopping = new AbortController();
  return {
    start: async () => {
      await startFromLastGood(state, ports);
      void pollForever({ state, ports, acks, signal: stopping.signal });
    },
    stop: () => stopping.abort(),
    serves: () => state.served?.id ?? null,
    hasContact: () => state.contact,
    retryAck: () => acks.retry(),
  };
}

interface Following {
  readonly state: State;
  readonly ports: FollowPorts;
  readonly acks: Acks;
  readonly signal: AbortSignal;
}

async function startFromLastGood(state: State, ports: FollowPorts): Promise<void> {
  try {
    const startedMs = ports.nowMs();
    const release = await ports.source.kept();
    if (release === null) return;
    const { id, sha256 } = release;
    const activated = await ports.activate(release);
    state.served = { id, sha256, how: { ...activated, durationMs: ports.nowMs() - startedMs } };
    ports.say(`Serves the kept release r${id.number}.`);
  } catch (error) {
    ports.say(`The kept release is not served: ${reasonOf(error)}`);
  }
}

async function pollForever(following: Following): Promise<void> {
  const { state, ports, signal } = following;
  let backoffMs = MIN_BACKOFF_MS;
  while (!signal.aborted) {
    const startedMs = ports.nowMs();
    const result = await pollOnce(following).catch((error: unknown) => {
      ports.say(`The manifest cannot be read: ${reasonOf(error)}`);
      return 'away' as const;
    });
    if (signal.aborted) return;
    if (result === 'away' && state.contact) ports.say('The console cannot be reached; what is live stays live.');
    state.contact = result !== 'away';
    backoffMs = result === 'away' ? Math.min(backoffMs * 2, MAX_BACKOFF_MS) : MIN_BACKOFF_MS;
    // A console that does not hold the request open must not be asked in a tight loop.
    const isQuick = ports.nowMs() - startedMs < MIN_BACKOFF_MS;
    if (result === 'away' || (result === 'unchanged' && isQuick))
      await pause(backoffMs * (0.5 + ports.random()), signal);
  }
}

async function pollOnce(following: Following): Promise<'away' | 'unchanged' | 'changed'> {
  const { state, ports, signal } = following;
  const { rejected } = state;
  const retryInMs = rejected === null ? Number.POSITIVE_INFINITY : rejected.atMs + RETRY_REJECTED_MS - ports.nowMs();
  const isRetry = retryInMs <= 0;
  const known = rejected === null || isRetry ? (state.served?.sha256 ?? null) : rejected.sha256;
  const isKnown = known !== null && !(isRetry && known === rejected?.sha256) && (state.isAcked || rejected !== null);
  const answer = await ports.client.get('manifest', {
    ifNoneMatch: isKnown ? `"${known}"` : null,
    timeoutMs: Math.max(1, Math.min(MANIFEST_WAIT_MS + 10_000, isRetry ? Number.POSITIVE_INFINITY : retryInMs)),
    signal,
  });
  if (answer.kind !== 'ok')
    return rejected !== null && !isRetry && retryInMs <= MANIFEST_WAIT_MS ? 'unchanged' : 'away';
  if (answer.status !== 200) return 'unchanged';
  const jws = answer.body.toString('utf8');
  try {
    const statement = await verifyManifest(jws, ports.trust, ports.gateway);
    return await consider(statement.target, following);
  } catch (error) {
    const claimed = claimOf(jws);
    if (claimed === null) throw error;
    reject(claimed, error, following);
    return 'changed';
  }
}

async function consider(target: ManifestStatement['target'], following: Following): Promise<'away' | 'changed'> {
  const { state, ports, acks } = following;
  const startedMs = ports.nowMs();
  const answer = (result: Ack['result']) => acks.send({ release: target, result, version: GATEWAY_VERSION });
  if (state.served?.sha256 === target.sha256) {
    answer({ state: 'live', ...state.served.how });
    Object.assign(state, { rejected: null, isAcked: true });
    return 'changed';
  }
  try {
    refuseBackwards(target, state.served?.id ?? null);
    answer({ state: 'applying' });
    const release = await ports.source.fetch(target.sha256);
    const { id, sha256 } = release;
    if (compareReleases(id, target) !== 0) {
      throw new ReleaseRejected(`The manifest names r${target.number}, but the release says r${id.number}.`);
    }
    const activated = await ports.activate(release);
    const how = { ...activated, durationMs: ports.nowMs() - startedMs };
    state.served = { id, sha256, how };
    Object.assign(state, { rejected: null, isAcked: true });
    answer({ state: 'live', ...how });
    await keep(sha256, ports);
    ports.say(`Serves r${id.number}.`);
  } catch (error) {
    if (error instanceof ConsoleAway) return 'away';
    reject(target, error, following);
  }
  return 'changed';
}

function reject(target: ManifestStatement['target'], error: unknown, { state, ports, acks }: Following): void {
  const reason = reasonOf(error).slice(0, MAX_REASON);
  state.rejected = { sha256: target.sha256, atMs: ports.nowMs() };
  acks.send({ release: target, result: { state: 'rejected', reason }, version: GATEWAY_VERSION });
  ports.say(`Rejected r${target.number}: ${reason}`);
}

function refuseBackwards(target: ReleaseId, served: ReleaseId | null): void {
  if (served === null || compareReleases(target, served) > 0) return;
  throw new ReleaseRejected(
    `r${target.number} of epoch ${target.epoch} is not newer than r${served.number} of epoch ${served.epoch}, which this gateway serves.`,
  );
}

async function keep(sha256: string, { source, say }: FollowPorts): Promise<void> {
  try {
    await source.keep(sha256);
  } catch (error) {
    say(`The release is live but could not be kept on disk: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
