import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditDraft, AuditPort } from '#gateway/pipeline/audit-rows.ts';
import { createFold } from './fold.ts';

const FSYNC_EVERY_MS = 100;
const FOLD_EVERY_MS = 1_000;
const SEGMENT_BYTES = 4_000_000;
const SAMPLE_ONE_IN = 100;

/**
 * The audit rows of one worker, one JSON line each, appended with one write a row before the request goes on: `kill -9`
 * loses none of them, a crash of the machine at most the last 100 ms.
 */
export interface Spool extends AuditPort {
  /** Rows that could not be written since the start. */
  lost(): number;
  close(): void;
}

export function openSpool(options: { dir: string; stream: string; nowMs: () => number }): Spool {
  const { dir, stream, nowMs } = options;
  mkdirSync(dir, { recursive: true });
  const state = { segment: 1, fd: openSegment(dir, stream, 1), bytes: 0, seq: 1, lost: 0, dirty: false, reads: 0 };

  const append = (draft: AuditDraft): boolean => {
    const line = Buffer.from(`${JSON.stringify({ seq: state.seq, ...draft })}\n`);
    try {
      if (state.bytes + line.length > SEGMENT_BYTES) rotate(state, dir, stream);
      writeWhole(state.fd, line);
    } catch {
      state.lost += 1;
      cutBack(state);
      return false;
    }
    state.seq += 1;
    state.bytes += line.length;
    state.dirty = true;
    return true;
  };
  const fold = createFold({ append, nowMs });
  const fsyncTimer = setInterval(() => {
    if (!state.dirty) return;
    state.dirty = false;
    fdatasync(state.fd, (error) => {
      // The segment may have been rotated meanwhile, which synced it.
      if (error !== null && error.code !== 'EBADF') state.dirty = true;
    });
  }, FSYNC_EVERY_MS);
  const foldTimer = setInterval(() => fold.flushDue(), FOLD_EVERY_MS);
  fsyncTimer.unref();
  foldTimer.unref();
  return {
    append,
    refuse: (draft) => fold.refuse(draft),
    isSampled: () => state.reads++ % SAMPLE_ONE_IN === 0,
    lost: () => state.lost,
    close: () => {
      clearInterval(fsyncTimer);
      clearInterval(foldTimer);
      fold.flushAll();
      fdatasyncSync(state.fd);
      closeSync(state.fd);
    },
  };
}

/** File of one segment of a stream; `ship.ts` reads the names back. */
export function segmentFile(stream: string, segment: number): string {
  return `${stream}.${String(segment).padStart(6, '0')}.jsonl`;
}

interface SegmentState {
  segment: number;
  fd: number;
  bytes: number;
}

function openSegment(dir: string, stream: string, segment: number): number {
  return openSync(join(dir, segmentFile(stream, segment)), 'ax', 0o600);
}

function rotate(state: SegmentState, dir: string, stream: string): void {
  const next = openSegment(dir, stream, state.segment + 1);
  fdatasyncSync(state.fd);
  closeSync(state.fd);
  state.segment += 1;
  state.fd = next;
  state.bytes = 0;
}

/** A disk that fills up may have taken half a line: the next one must not continue it. */
function cutBack({ fd, bytes }: SegmentState): void {
  try {
    ftruncateSync(fd, bytes);
  } catch {
    // The disk is worse than full; the reader passes over a line that is not a row.
  }
}

function writeWhole(fd: number, line: Buffer): void {
  let written = 0;
  while (written < line.length) written += writeSync(fd, line, written);
}
