import { randomBytes } from 'node:crypto';
import { type GatewayEnv, readEnv } from './env.ts';
import { type Gateway, startGateway } from './start.ts';
import { lockStateDir } from './state-lock.ts';

const STOP_TIMEOUT_MS = 15_000;
const REPEAT_AFTER_MS = 60_000;
const MIN_NODE = 24;

/** Starts the gateway from its environment, prints its URL, and stops it on SIGTERM, Ctrl-C or the launcher's end. */
async function main(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < MIN_NODE) {
    fail(`The gateway needs Node ${MIN_NODE} or newer; this is ${process.versions.node}.`);
  }
  let env: GatewayEnv;
  let unlock: () => void;
  let gateway: Gateway;
  try {
    env = readEnv(process.env);
    unlock = lockStateDir(env.stateDir);
    const boot = `${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
    gateway = await startGateway(env, { nowMs: Date.now, random: Math.random, boot, say: createSay(env.name) });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  process.stdout.write(`gateway on ${gateway.url}\n`);
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    void gateway.stop().then(() => {
      unlock();
      process.exit(0);
    });
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  if (env.parentPipe) process.stdin.on('end', stop).on('error', stop).resume();
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** What an operator should know, on standard error; the same sentence at most once a minute. */
function createSay(name: string): (sentence: string) => void {
  const saidMs = new Map<string, number>();
  return (sentence) => {
    const nowMs = Date.now();
    if (nowMs - (saidMs.get(sentence) ?? 0) < REPEAT_AFTER_MS) return;
    if (saidMs.size > 1_000) saidMs.clear();
    saidMs.set(sentence, nowMs);
    process.stderr.write(`${new Date(nowMs).toISOString()} ${name}: ${sentence}\n`);
  };
}

await main();
