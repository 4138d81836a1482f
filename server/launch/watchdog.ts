import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { stopProcess } from './processes.ts';

/** A process to end when the one that started it is gone, in the order of the list. */
export type Watched = { readonly pid: number; readonly signal: NodeJS.Signals; readonly graceMs: number };

export type Watchdog = {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Replaces the list of watched processes. */
  watch(list: readonly Watched[]): void;
  /** Ends the watchdog and leaves everything it watched alone. */
  dismiss(): Promise<void>;
};

const watchedSchema = z.array(
  z.object({ pid: z.number().int(), signal: z.literal(['SIGINT', 'SIGTERM', 'SIGKILL']), graceMs: z.number() }),
);

/**
 * Starts a small process that outlives us by as long as it takes to end our children. It holds the other end of a
 * pipe, which the system closes even when we die by `kill -9`, and needs nothing from the children themselves.
 */
export function startWatchdog(): Watchdog {
  const child = spawn(process.execPath, [import.meta.filename], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  // A watchdog that was killed is no reason to stop.
  child.stdin.on('error', () => undefined);
  child.once('error', () => undefined);
  child.unref();
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const write = (list: readonly Watched[]) => child.stdin.write(`${JSON.stringify(list)}\n`);
  return {
    pid: child.pid,
    watch: write,
    dismiss: () => {
      // Waiting must keep us alive, as watching must not.
      child.ref();
      write([]);
      child.stdin.end();
      return gone;
    },
  };
}

async function guard(): Promise<void> {
  let list: readonly Watched[] = [];
  for await (const line of createInterface({ input: process.stdin })) {
    list = watchedSchema.parse(JSON.parse(line));
  }
  for (const { pid, signal, graceMs } of list) await stopProcess(pid, { signal, graceMs });
}

if (import.meta.main) await guard();
