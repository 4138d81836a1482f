import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalJWKSet } from 'jose';
import { type AuditShipping, createAuditShipping } from './audit/ship.ts';
import type { GatewayEnv } from './env.ts';
import { feedOwner } from './feed/owner-name.ts';
import { claimPort } from './free-port.ts';
import { createSlots } from './quota/slots.ts';
import { allocateQuotas, openQuotas, setLiveGateways } from './quota/table.ts';
import { activate } from './release/activate.ts';
import { createConsoleClient } from './release/console-client.ts';
import { createFollower, type Follower } from './release/follow.ts';
import { allocateStoreMemory } from './store/store-memory.ts';
import { createHeartbeat } from './telemetry/heartbeat.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { regionMetrics } from './telemetry/region-metrics.ts';
import { createTelemetryShipping, type TelemetryShipping } from './telemetry/ship.ts';
import { createFeedHost, type FeedHost } from './threads/feed-host.ts';
import type { FromWorker, ToWorker } from './threads/messages.ts';
import { type PolicyHost, startPolicyHost } from './threads/policy-host.ts';
import { readinessOf } from './threads/readiness.ts';
import { startReleaseHost } from './threads/release-host.ts';
import { createSupervisor, type Supervisor } from './threads/supervise.ts';

export interface StartPorts {
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Names this start of the process: telemetry and audit streams are numbered within it. */
  readonly boot: string;
  readonly say: (sentence: string) => void;
}

export interface Gateway {
  readonly url: string;
  stop(): Promise<void>;
}

const SHIP_EVERY_MS = 1_000;

/** Where several threads can listen on one port (`reusePort` of node:net). */
const SHARES_PORTS: readonly NodeJS.Platform[] = ['linux', 'freebsd'];

/** Builds the main thread and starts the gateway; resolves once all workers listen. */
export async function startGateway(wanted: GatewayEnv, ports: StartPorts): Promise<Gateway> {
  const { nowMs, say, boot } = ports;
  const env = withWorkers(wanted, say);
  const port = await claimPort(env.host, env.port);
  const url = `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${port}`;
  const auditDir = makeDir(join(env.stateDir, 'audit'));
  const client = createConsoleClient({ consoleUrl: env.consoleUrl, gateway: env.name, token: env.token });
  const quotas = allocateQuotas(env.workers);
  const metrics = createMetrics();
  const telemetry = createTelemetryShipping({ boot, client, nowMs, say });
  const audit = createAuditShipping({ dir: auditDir, client, say });
  const policy = startPolicyHost(say);
  const { consoleUrl, name, token, trust } = env;
  const dir = join(env.stateDir, 'release');
  const source = startReleaseHost({ env: { consoleUrl, name, token, trust }, dir }, say);

  const storeMemory = allocateStoreMemory();
  const supervisor: Supervisor = createSupervisor({
    ...{ env, port, quotas, storeMemory, boot, nowMs, say },
    onMessage: (message, reply) => handle(message, reply, parts),
    onStream: (stream, isLive) => (isLive ? audit.begin(stream) : audit.end(stream)),
  });
  const slots = createSlots();
  const follower = createFollower({
    client,
    trust: createLocalJWKSet({ keys: [...env.trust.keys] }),
    gateway: env.name,
    source,
    activate: async (release) => {
      const activated = await activate(release, { slots, policy, supervisor, nowMs });
      feed.use(release);
      return activated;
    },
    ...ports,
  });
  const feed = createFeedHost({
    ...{ env, storeMemory, owner: feedOwner(env.stateDir, env.name), nowMs, say },
    onMessage: (message) => (message.kind === 'say' ? say(message.sentence) : metrics.absorbSealed(message.batch)),
  });
  const parts: Parts = { metrics, telemetry, audit, policy, supervisor, follower, feed, say };
  const onLiveGateways = (count: number) => setLiveGateways(openQuotas(quotas, env.workers), count);
  const heartbeat = createHeartbeat({ client, url, startedAtMs: nowMs(), onLiveGateways, ...vitals(parts) });
  await supervisor.start();
  feed.start();
  await follower.start();
  heartbeat.start();
  const shipping = setInterval(() => {
    void telemetry.tick();
    void audit.tick();
  }, SHIP_EVERY_MS);

  return {
    url,
    stop: async () => {
      follower.stop();
      await Promise.all([supervisor.drain(), feed.drain()]);
      clearInterval(shipping);
      await Promise.all([telemetry.flush(), audit.flush()]);
      await heartbeat.leave();
      await Promise.all([policy.stop(), source.stop()]);
    },
  };
}

function makeDir(dir: string): string {
  mkdirSync(dir, { recursive: true });
  return dir;
}

function withWorkers(env: GatewayEnv, say: (sentence: string) => void): GatewayEnv {
  if (env.workers === 1 || SHARES_PORTS.includes(process.platform)) return env;
  say(`Workers cannot share a port on ${process.platform}: one worker serves.`);
  return { ...env, workers: 1 };
}

interface Parts {
  readonly metrics: Metrics;
  readonly telemetry: TelemetryShipping;
  readonly audit: AuditShipping;
  readonly policy: PolicyHost;
  readonly supervisor: Supervisor;
  readonly follower: Follower;
  readonly feed: FeedHost;
  readonly say: (sentence: string) => void;
}

/** What a heartbeat reports, read anew at each. */
function vitals({ follower, supervisor, audit }: Parts) {
  return {
    serves: () => follower.serves(),
    statuses: () => supervisor.statuses(),
    regions: () => supervisor.regions(),
    auditBacklog: () => audit.backlog(),
    afterBeat: () => follower.retryAck(),
  };
}

/** Does what a worker asks, and takes what it hands over. */
function handle(message: FromWorker, reply: (answer: ToWorker) => void, parts: Parts): void {
  if (message.kind === 'series') {
    parts.metrics.absorb(message.batch);
    parts.telemetry.absorb(message.batch);
  } else if (message.kind === 'sealed') parts.metrics.absorbSealed(message.batch);
  else if (message.kind === 'misfits') parts.metrics.absorbMisfits(message.batch);
  else if (message.kind === 'records') parts.telemetry.addRecords(message.records);
  else if (message.kind === 'say') parts.say(message.sentence);
  else if (message.kind === 'ask') reply({ kind: 'told', id: message.id, text: tell(message.what, parts) });
  else if (message.kind === 'decide') {
    const { id, sha256, question } = message;
    const answered = parts.policy.decide(sha256, question).catch(() => null);
    void answered.then((answer) => reply({ kind: 'decided', id, answer }));
  }
}

function tell(what: 'metrics' | 'readiness', { metrics, telemetry, audit, supervisor, follower, feed }: Parts): string {
  const statuses = supervisor.statuses();
  const serves = follower.serves();
  const auditBacklog = audit.backlog();
  if (what === 'readiness') {
    const regions = supervisor.regions();
    return JSON.stringify(readinessOf({ serves, hasContact: follower.hasContact(), statuses, regions, auditBacklog }));
  }
  return `${regionMetrics(supervisor.regions())}${metrics.text({
    habitat_release_number: serves?.number ?? 0,
    habitat_audit_backlog_rows: auditBacklog,
    habitat_audit_lost_rows: statuses.reduce((sum, one) => sum + (one?.auditLost ?? 0), 0),
    habitat_telemetry_lost: telemetry.lost(),
    ...feed.gauges(),
  })}`;
}
