import { join } from 'node:path';
import { awaitHttp } from './await-http.ts';
import { lastLogLine, type Running, startChild } from './child.ts';
import type { Fleet, Part } from './fleet.ts';
import { LaunchError } from './launch-error.ts';
import { startPostgres } from './postgres.ts';
import { stopProcess } from './processes.ts';
import { homePaths, type Settings } from './settings.ts';

/** A Node program that serves HTTP. */
export type Service = {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Any answer here means that it serves. */
  readonly probeUrl: string;
  readonly graceMs: number;
};

const START_TIMEOUT_MS = 90_000;

/** A service as a part of the fleet: started in the checkout, its output in `logs/<name>.log`. */
export function servicePart(settings: Settings, fleet: Fleet, service: Service): Part {
  const logFile = logFileOf(settings, service.name);
  return {
    name: service.name,
    stop: { signal: 'SIGTERM', graceMs: service.graceMs },
    lastWords: () => lastLogLine(logFile),
    start: async () => {
      const running = await startChild({ ...service, cwd: settings.root, logFile });
      fleet.hold(running);
      const { exited } = running;
      const isUp = await awaitHttp(service.probeUrl, { accept: () => true, timeoutMs: START_TIMEOUT_MS, exited });
      if (isUp) return running;
      await stopProcess(running.pid, { graceMs: 2_000 });
      throw new LaunchError(`${service.name} did not start: ${lastLogLine(logFile)} (${logFile})`);
    },
  };
}

/** The embedded PostgreSQL as a part of the fleet. `onUrl` hears its address at each start; it stays the same. */
export function postgresPart(settings: Settings, onUrl: (url: string, port: number) => void): Part {
  const logFile = logFileOf(settings, 'postgres');
  return {
    name: 'postgres',
    stop: { signal: 'SIGINT', graceMs: 20_000 },
    lastWords: () => lastLogLine(logFile),
    start: async (): Promise<Running> => {
      const folder = homePaths(settings.home).postgres;
      const server = await startPostgres({ folder, logFile, database: 'habitat', durable: true });
      onUrl(server.url, server.port);
      return { pid: server.pid, exited: server.exited.then(() => 'gone') };
    },
  };
}

export function logFileOf(settings: Settings, name: string): string {
  return join(homePaths(settings.home).logs, `${name}.log`);
}
