import { HEARTBEAT_EVERY_MS, type Heartbeat, HeartbeatReply } from '#gateway/contract/machine-api.ts';
import type { ReleaseId } from '#gateway/contract/release.ts';
import type { ConsoleClient } from '#gateway/release/console-client.ts';
import type { RegionStatus } from '#gateway/store/regions/health.ts';
import { summaryOf } from '#gateway/store/summary.ts';
import type { WorkerStatus } from '#gateway/threads/messages.ts';
import { GATEWAY_VERSION } from '#gateway/version.ts';

export interface HeartbeatPorts {
  readonly client: ConsoleClient;
  readonly url: string;
  readonly startedAtMs: number;
  serves(): ReleaseId | null;
  statuses(): readonly (WorkerStatus | null)[];
  regions(): readonly RegionStatus[];
  auditBacklog(): number;
  /** How many gateways share each fleet-wide quota now; the last answer holds while the console is away. */
  onLiveGateways(count: number): void;
  afterBeat(): Promise<void>;
}

/** A console that starts beside its gateway should list it as soon as it answers at all. */
const FIRST_BEAT_RETRY_MS = 500;

/** Tells the console every 5 s that this gateway lives and how it fares. Never rejects. */
export function createHeartbeat(ports: HeartbeatPorts): { start(): void; leave(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let hasLeft = false;
  let isKnown = false;
  const beat = async () => {
    const answer = await ports.client.post('heartbeat', bodyOf(ports, hasLeft));
    if (answer.kind !== 'ok' || hasLeft) return;
    isKnown = true;
    const live = readReply(answer.body);
    if (live !== null) ports.onLiveGateways(live);
    await ports.afterBeat();
  };
  const beatOnAndOn = async () => {
    await beat();
    if (hasLeft) return;
    timer = setTimeout(() => void beatOnAndOn(), isKnown ? HEARTBEAT_EVERY_MS : FIRST_BEAT_RETRY_MS);
  };
  return {
    start: () => void beatOnAndOn(),
    leave: async () => {
      hasLeft = true;
      clearTimeout(timer);
      await beat();
    },
  };
}

function bodyOf(ports: HeartbeatPorts, left: boolean): Heartbeat {
  const statuses = ports.statuses();
  const regions = ports.regions();
  return {
    version: GATEWAY_VERSION,
    startedAtMs: ports.startedAtMs,
    url: ports.url,
    serves: ports.serves(),
    workers: statuses.flatMap((status, worker) => {
      if (status === null) return [];
      const { inFlight, loopDelayP99Ms, loopDelayMaxMs } = status;
      return [{ worker, inFlight, loopDelayP99Ms, loopDelayMaxMs }];
    }),
    auditBacklog: ports.auditBacklog(),
    store: { ...summaryOf(regions), regions: regions.map(({ check: _, ...region }) => region) },
    left,
  };
}

function readReply(body: Buffer): number | null {
  try {
    return HeartbeatReply.parse(JSON.parse(body.toString('utf8'))).liveGateways;
  } catch {
    return null;
  }
}
