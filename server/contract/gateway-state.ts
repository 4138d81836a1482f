import { SILENT_AFTER_MS } from '#gateway/contract/machine-api.ts';
import { compareReleases, type ReleaseId } from '#gateway/contract/release.ts';
import type { GatewayState } from './shell.ts';

/** A silent gateway counts as gone after this long; it may leave earlier by draining. */
export const GONE_AFTER_MS = 24 * 3_600_000;
/** How long after a publish a gateway that has not answered still counts as applying it. */
export const ANSWER_WITHIN_MS = 10_000;

/** What a gateway last said about one release. */
export interface AnswerFacts {
  readonly state: 'live' | 'applying' | 'rejected';
  readonly atMs: number;
  readonly reason: string | null;
}

/** What is known of a gateway. `answer` is its newest answer to the target, null when it gave none. */
export interface GatewayFacts {
  readonly name: string;
  /** Semver core, `1.4.0`. */
  readonly version: string;
  readonly lastHeardMs: number;
  /** Set when it drained or was retired. */
  readonly leftAtMs: number | null;
  readonly serves: ReleaseId | null;
  readonly answer: AnswerFacts | null;
}

export interface TargetFacts {
  readonly release: ReleaseId;
  readonly minGatewayVersion: string;
  readonly publishedMs: number;
}

/** One gateway as release sentences count it. */
export interface GatewayStanding {
  readonly name: string;
  readonly state: GatewayState;
  readonly serves: number | null;
  readonly lastHeardMs: number;
}

/** Whether a gateway no longer counts for a release: it drained, was retired, or has been silent for a day. */
export function hasLeft(gateway: Pick<GatewayFacts, 'leftAtMs' | 'lastHeardMs'>, nowMs: number): boolean {
  return gateway.leftAtMs !== null || nowMs - gateway.lastHeardMs > GONE_AFTER_MS;
}

/** Whether nothing was heard of a gateway for SILENT_AFTER_MS. */
export function isSilent(gateway: Pick<GatewayFacts, 'lastHeardMs'>, nowMs: number): boolean {
  return nowMs - gateway.lastHeardMs > SILENT_AFTER_MS;
}

/**
 * State of a gateway against the target, null before the first publish. *Live* needs both its answer (all workers
 * swapped, probes passed) and that it serves the target now: one that restarted without it is not live.
 */
export function gatewayState(gateway: GatewayFacts, target: TargetFacts | null, nowMs: number): GatewayState {
  if (isSilent(gateway, nowMs)) return 'silent';
  // Connected and waiting: there is nothing yet that it could be behind of.
  if (target === null) return 'applying';
  if (compareVersions(gateway.version, target.minGatewayVersion) < 0) return 'too old';
  const servesTarget = gateway.serves !== null && compareReleases(gateway.serves, target.release) === 0;
  const { answer } = gateway;
  if (answer?.state === 'rejected') return 'rejected';
  if (servesTarget) return answer?.state === 'live' ? 'live' : 'applying';
  const waitingSinceMs = answer?.state === 'applying' ? answer.atMs : target.publishedMs;
  const patienceMs = answer?.state === 'applying' ? SILENT_AFTER_MS : ANSWER_WITHIN_MS;
  return nowMs - waitingSinceMs <= patienceMs ? 'applying' : 'behind';
}

/**
 * Where the target is live, in one sentence. Takes only gateways that have not left.
 */
export function liveSentence(gateways: readonly GatewayStanding[], nowMs: number): string {
  if (gateways.length === 0) return 'Not live: no gateway is connected.';
  const live = gateways.filter(({ state }) => state === 'live').length;
  const waiting = gateways.filter(({ state }) => state === 'waiting').length;
  const rest = gateways
    .filter(({ state }) => state !== 'live' && state !== 'waiting')
    .map((gateway) => standingWords(gateway, nowMs));
  if (waiting > 0) rest.unshift(waiting === 1 ? '1 waits for its stage' : `${waiting} wait for their stage`);
  const head = live === 0 ? 'Not live' : `Live on ${live} of ${gateways.length}`;
  if (rest.length === 0) return `${head}.`;
  const shown = rest.slice(0, 3).join(', ');
  const more = rest.length > 3 ? `, ${rest.length - 3} more not live` : '';
  return `${head}: ${shown}${more}.`;
}

/** Whether every gateway that counts is live; false without a gateway. */
export function isAllLive(gateways: readonly Pick<GatewayStanding, 'state'>[]): boolean {
  return gateways.length > 0 && gateways.every(({ state }) => state === 'live');
}

/** Negative when version `a` is older than `b`. Compares the numbers of a semver core; what follows `-` is ignored. */
export function compareVersions(a: string, b: string): number {
  const left = numbersOf(a);
  const right = numbersOf(b);
  for (let part = 0; part < 3; part += 1) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A length of time in words: `4 min`, `2 h`. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

function standingWords({ name, state, serves, lastHeardMs }: GatewayStanding, nowMs: number): string {
  const still = serves === null ? 'serves nothing' : `serves r${serves}`;
  switch (state) {
    case 'waiting':
      return `${name} waits for its stage and ${still}`;
    case 'live':
      return `${name} is live`;
    case 'applying':
      return `${name} is applying it`;
    case 'rejected':
      return `${name} rejected it and ${still}`;
    case 'behind':
      return `${name} is behind and ${still}`;
    case 'too old':
      return `${name} is too old and ${still}`;
    case 'silent':
      return `${name} silent ${durationWords(nowMs - lastHeardMs)} (last ${serves === null ? 'served nothing' : `served r${serves}`})`;
  }
}

function numbersOf(version: string): readonly number[] {
  const core = version.split(/[-+]/, 1)[0] ?? '';
  return core.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : 0));
}
