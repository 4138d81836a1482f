import { closeSync, fdatasync, openSync } from 'node:fs';

/** Something that waits for the disk. */
export interface Waiting {
  readonly settle: () => void;
}

/** Puts the write-ahead log on disk, one flush at a time, and then settles all that waited when it began. */
export interface Flusher {
  /** What is added must already be committed. */
  add(group: readonly Waiting[]): void;
  readonly isIdle: () => boolean;
  close(): void;
}

export interface FlusherOptions {
  /** Called when the disk refuses a flush. Nothing acknowledged can be trusted after that; the process must end. */
  readonly onFatal: (error: Error) => void;
  /** Called after each flush with the number of requests in it. */
  readonly onFlushed: (requests: number) => void;
  /** `fdatasync` unless a test says otherwise. */
  readonly flushFile?: (fd: number, done: (error: Error | null) => void) => void;
}

export function startFlusher(path: string, options: FlusherOptions): Flusher {
  const flushFile = options.flushFile ?? fdatasync;
  const fd = openSync(path, 'r+');
  let waiting: Waiting[] = [];
  let flushing = false;

  function flush(): void {
    if (flushing || waiting.length === 0) return;
    flushing = true;
    const group = waiting;
    waiting = [];
    // It starts after their commit, so it covers them; what commits meanwhile waits for the next one.
    flushFile(fd, (error) => {
      if (error !== null) return options.onFatal(error);
      flushing = false;
      for (const entry of group) entry.settle();
      options.onFlushed(group.length);
      flush();
    });
  }

  return {
    add(group) {
      waiting.push(...group);
      flush();
    },
    isIdle: () => !flushing && waiting.length === 0,
    close: () => closeSync(fd),
  };
}
