import { setTimeout as pause } from 'node:timers/promises';
import { LOCAL_COSMOS_REGIONS } from '#gateway/contract/local-cosmos.ts';
import { hasDemoUsers } from './environment.ts';
import { BACKOFF_MS, Fleet } from './fleet.ts';
import { lockHome, prepareHome } from './home.ts';
import { type Launched, launch } from './launch.ts';
import { LaunchError } from './launch-error.ts';
import { removeRunFile } from './run-file.ts';
import { homePaths, readSettings, type Settings } from './settings.ts';
import { startWatchdog } from './watchdog.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** `npm start`: brings Habitat up, keeps it up, and takes it down at Ctrl-C or SIGTERM. Resolves with the exit status. */
async function run(): Promise<number> {
  const settings = readSettings(process.env, process.argv.slice(2));
  const startedAt = performance.now();
  prepareHome(settings.home);
  const watchdog = startWatchdog();
  try {
    const unlock = await lockHome(settings.home, watchdog.pid);
    try {
      return await runLocked(settings, watchdog, startedAt);
    } finally {
      removeRunFile(settings.home);
      unlock();
    }
  } finally {
    await watchdog.dismiss();
  }
}

async function runLocked(
  settings: Settings,
  watchdog: ReturnType<typeof startWatchdog>,
  startedAt: number,
): Promise<number> {
  let launched: Launched | undefined;
  const fleet = new Fleet({ watchdog, say, onRestart: () => launched?.writeRunFile(), backoffMs: BACKOFF_MS });
  const asked = stopRequest();
  const up = launch({ settings, fleet, say });
  try {
    const first = await Promise.race([up, asked]);
    if (typeof first !== 'string') {
      launched = first;
      greet(settings, first, performance.now() - startedAt);
      await asked;
    }
    say('');
    return 0;
  } finally {
    removeRunFile(settings.home);
    await fleet.stop(say);
    // A launch that is cut short ends with errors of the parts we stopped; they say nothing new. It may still have
    // been starting one, which it stops itself.
    await Promise.race([up.catch(() => undefined), pause(15_000)]);
  }
}

/** Resolves at the first wish to stop. npm may die without telling us; then our parent is another process. */
async function stopRequest(): Promise<'stop'> {
  const signalled = new Promise<'stop'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('stop'));
  });
  return process.env.npm_lifecycle_event === undefined ? signalled : Promise.race([signalled, parentGone()]);
}

async function parentGone(): Promise<'stop'> {
  const parent = process.ppid;
  while (process.ppid === parent) await pause(500, undefined, { ref: false });
  return 'stop';
}

function greet(settings: Settings, { addresses }: Launched, elapsedMs: number): void {
  say(`
Habitat is up (${(elapsedMs / 1_000).toFixed(1)} s).

  Console   ${addresses.consoleUrl}
  Gateway   ${addresses.gatewayUrl}
  Cosmos    ${addresses.cosmosUrl}${settings.cosmosEndpoint === undefined ? `   (local endpoint: ${LOCAL_COSMOS_REGIONS.join(', ')})` : ''}

${howToSignIn(settings)}
Logs are in ${homePaths(settings.home).logs}. Ctrl-C stops everything.`);
}

function howToSignIn(settings: Settings): string {
  if (settings.oidcIssuer !== undefined) return `Sign in through ${settings.oidcIssuer}.`;
  if (hasDemoUsers(settings)) {
    return `Sign in: open the console and choose a demo user; no password.\nKey of the example service: ${homePaths(settings.home).demoKey}`;
  }
  return 'Nobody can sign in yet: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.';
}

try {
  process.exitCode = await run();
} catch (error) {
  process.exitCode = 1;
  const text = error instanceof LaunchError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`\n${text}\n`);
}
// Everything is stopped; a socket of a probe that is still closing is no reason to stay.
process.exit();
