import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalJWKSet } from 'jose';
import { createAuditShipping } from './audit/ship.ts';
import type { GatewayEnv } from './env.ts';
import { claimPort } from './free-port.ts';
import { createSlots } from './quota/slots.ts';
import { allocateQuotas, openQuotas, setLiveGateways } from './quota/table.ts';
import { activate } from './release/activate.ts';
import { createConsoleClient } from './release/console-client.ts';
import { createFollower } from './release/follow.ts';
import { createLastGood } from './release/last-good.ts';
import { createHeartbeat } from './telemetry/heartbeat.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { createTelemetryShipping } from './telemetry/ship.ts';
import type { FromWorker, ToWorker } from './threads/messages.ts';
import { startPolicyHost } from './threads/policy-host.ts';
import { readinessOf } from './threads/readiness.ts';
import { createSupervisor } from './threads/supervise.ts';

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
  const auditDir = join(env.stateDir, 'audit');
  mkdirSync(auditDir, { recursive: true });
  const client = createConsoleClient({ consoleUrl: env.consoleUrl, gateway: env.name, token: env.token });
  const quotas = allocateQuotas(env.workers);
  const metrics = createMetrics();
  const telemetry = createTelemetryShipping({ boot, client, nowMs, say });
  const audit = createAuditShipping({ dir: auditDir, client, say });
  const policy = startPolicyHost(say);

  const onMessage = (message: FromWorker, reply: (answer: ToWorker) => void) => {
    if (message.kind === 'series') {
      metrics.absorb(message.batch);
      telemetry.absorb(message.batch);
    } else if (message.kind === 'records') telemetry.addRecords(message.records);
    else if (message.kind === 'say') say(message.sentence);
    else if (message.kind === 'ask') reply({ kind: 'told', id: message.id, text: tell(message.what) });
    else if (message.kind === 'decide') {
      const { id, sha256, question } = message;
      const answered = policy.decide(sha256, question).catch(() => null);
      void answered.then((answer) => reply({ kind: 'decided', id, answer }));
    }
  };
  const onStream = (stream: string, isLive: boolean) => (isLive ? audit.begin(stream) : audit.end(stream));
  const supervisor = createSupervisor({ env, port, quotas, boot, nowMs, say, onMessage, onStream });

  const slots = createSlots();
  const follower = createFollower({
    client,
    trust: createLocalJWKSet({ keys: [...env.trust.keys] }),
    gateway: env.name,
    lastGood: createLastGood(join(env.stateDir, 'release')),
    activate: (content) => activate(content, { slots, policy, supervisor, nowMs }),
    ...ports,
  });
  const readiness = () => {
    const parts = { serves: follower.serves(), hasContact: follower.hasContact(), statuses: supervisor.statuses() };
    return readinessOf({ ...parts, auditBacklog: audit.backlog() });
  };
  const tell = (what: 'metrics' | 'readiness') =>
    what === 'readiness'
      ? JSON.stringify(readiness())
      : metrics.text({
          habitat_release_number: follower.serves()?.number ?? 0,
          habitat_audit_backlog_rows: audit.backlog(),
          habitat_audit_lost_rows: supervisor.statuses().reduce((sum, one) => sum + (one?.auditLost ?? 0), 0),
          habitat_telemetry_lost: telemetry.lost(),
        });

  const heartbeat = createHeartbeat({
    client,
    url,
    startedAtMs: nowMs(),
    serves: () => follower.serves(),
    statuses: () => supervisor.statuses(),
    auditBacklog: () => audit.backlog(),
    onLiveGateways: (count) => setLiveGateways(openQuotas(quotas, env.workers), count),
    afterBeat: () => follower.retryAck(),
  });
  await supervisor.start();
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
      await supervisor.drain();
      clearInterval(shipping);
      await Promise.all([telemetry.flush(), audit.tick()]);
      await heartbeat.leave();
      await policy.stop();
    },
  };
}

function withWorkers(env: GatewayEnv, say: (sentence: string) => void): GatewayEnv {
  if (env.workers === 1 || SHARES_PORTS.includes(process.platform)) return env;
  say(`Workers cannot share a port on ${process.platform}: one worker serves.`);
  return { ...env, workers: 1 };
}
