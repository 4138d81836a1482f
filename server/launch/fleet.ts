import { setTimeout as pause } from 'node:timers/promises';
import type { Running } from './child.ts';
import { LaunchError } from './launch-error.ts';
import { stopProcess } from './processes.ts';
import type { Watchdog } from './watchdog.ts';

/** A part that is kept running. `start` resolves when the part serves; it may be called many times. */
export type Part = {
  readonly name: string;
  start(): Promise<Running>;
  readonly stop: { readonly signal: NodeJS.Signals; readonly graceMs: number };
  /** What its log last said, for the one line about its end. */
  lastWords(): string;
};

export type FleetOptions = {
  readonly watchdog: Watchdog;
  readonly say: (line: string) => void;
  /** Called after a part came back with another process. */
  readonly onRestart: () => void;
  /** Waits before a failed start is tried again. */
  readonly backoffMs: readonly number[];
};

/** The waits of production: quick at first, never slower than every ten seconds. */
export const BACKOFF_MS: readonly number[] = [100, 500, 1_000, 2_000, 5_000, 10_000];

const HEALTHY_AFTER_MS = 30_000;

/**
 * The processes of one launch: started one by one, kept running, and stopped in the reverse order. Holds them all, so
 * that none can be forgotten, and tells the watchdog about each.
 */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #parts: { readonly part: Part; running: Running }[] = [];
  /** Processes of a step (build, seed) or of a start in progress. They end first. */
  readonly #passing = new Set<Running>();
  #isStopping = false;
  readonly #stopping = Promise.withResolvers<void>();

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Starts a part and keeps it running from then on. */
  async add(part: Part): Promise<void> {
    this.refuseWhenStopping();
    const running = await part.start();
    if (this.#isStopping) await stopProcess(running.pid, part.stop);
    this.refuseWhenStopping();
    const member = { part, running };
    this.#parts.push(member);
    this.#tellWatchdog();
    void this.#keep(member);
  }

  /** Holds a process that is not (yet) a part, until it ends. */
  hold(running: Running): void {
    this.#passing.add(running);
    this.#tellWatchdog();
    running.exited.then(() => {
      this.#passing.delete(running);
      this.#tellWatchdog();
    });
  }

  /** Resolves when the fleet is asked to stop. */
  get stopping(): Promise<void> {
    return this.#stopping.promise;
  }

  pids(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#parts.map(({ part, running }) => [part.name, running.pid]));
  }

  /** Ends everything, last started first, each awaited and killed when it does not end by itself. Never throws. */
  async stop(say: (line: string) => void): Promise<void> {
    this.#isStopping = true;
    this.#stopping.resolve();
    const isPart = (running: Running) => this.#parts.some((member) => member.running === running);
    for (const running of [...this.#passing].filter((held) => !isPart(held))) {
      await stopProcess(running.pid, { graceMs: 2_000 });
    }
    for (const { part, running } of this.#parts.toReversed()) {
      say(`Stopping ${part.name} …`);
      await stopProcess(running.pid, part.stop);
    }
  }

  refuseWhenStopping(): void {
    if (this.#isStopping) throw new LaunchError('Stopped before everything was up.');
  }

  async #keep(member: { readonly part: Part; running: Running }): Promise<void> {
    const { say, onRestart, backoffMs } = this.#options;
    let failures = 0;
    let startedAt = performance.now();
    for (;;) {
      const how = await member.running.exited;
      if (this.#isStopping) return;
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) failures = 0;
      say(`${member.part.name} ended (${how}); starting it again. It last said: ${member.part.lastWords()}`);
      for (;;) {
        await pause(backoffMs[Math.min(failures, backoffMs.length - 1)], undefined, { ref: false });
        failures++;
        if (this.#isStopping) return;
        const next = await this.#tryStart(member.part);
        if (next !== undefined && this.#isStopping) await stopProcess(next.pid, member.part.stop);
        if (next === undefined || this.#isStopping) continue;
        member.running = next;
        break;
      }
      startedAt = performance.now();
      this.#tellWatchdog();
      if (this.#isStopping) return;
      say(`${member.part.name} runs again.`);
      onRestart();
    }
  }

  async #tryStart(part: Part): Promise<Running | undefined> {
    try {
      return await part.start();
    } catch (error) {
      if (!this.#isStopping) this.#options.say(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  #tellWatchdog(): void {
    const passing = [...this.#passing].map(({ pid }) => ({ pid, signal: 'SIGTERM' as const, graceMs: 2_000 }));
    const parts = this.#parts.toReversed().map(({ part, running }) => ({ pid: running.pid, ...part.stop }));
    this.#options.watchdog.watch([...passing, ...parts]);
  }
}
