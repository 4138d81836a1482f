import { readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { AuditShipmentReply } from '#gateway/contract/audit.ts';
import type { ConsoleClient } from '#gateway/release/console-client.ts';
import { type Line, lastLineOf, readLines } from './read-segment.ts';
import { segmentFile } from './spool.ts';

const MAX_ROWS = 500;
const FILE = /^(.+)\.(\d{6})\.jsonl$/;

export interface AuditShipping {
  /** A stream that a worker writes now: its newest file is never deleted. */
  begin(stream: string): void;
  /** Its worker is gone: what it left is shipped, then deleted. */
  end(stream: string): void;
  /** Ships what the spools hold until the console has all of it or is away. Never rejects. */
  tick(): Promise<void>;
  /** Ships what the spools hold now, once. */
  flush(): Promise<void>;
  /** Rows on disk that the console has not taken. */
  backlog(): number;
}

interface Progress {
  /** Next row that the console wants. */
  nextSeq: number;
  /** Where reading goes on: a segment and a byte offset in it. */
  segment: number;
  offset: number;
  /**
   * Set when the console stands before the oldest row on disk (its database was restored): the rest travels as a stream
   * of its own, numbered anew, so that nothing waits for rows that no longer exist.
   */
  renumberedFrom: number | null;
}

/**
 * Ships the spools of this gateway, those of dead workers and earlier processes too. Each stream is inserted exactly
 * once: the console says where a stream stands, and rows before that are skipped.
 */
export function createAuditShipping(options: {
  readonly dir: string;
  readonly client: ConsoleClient;
  readonly say: (sentence: string) => void;
}): AuditShipping {
  const live = new Set<string>();
  const progress = new Map<string, Progress>();
  let underway: Promise<void> | null = null;

  const shipStream = async (stream: string, segments: readonly number[]): Promise<boolean> => {
    const at = progress.get(stream) ?? { nextSeq: 1, segment: segments[0] ?? 1, offset: 0, renumberedFrom: null };
    progress.set(stream, at);
    for (;;) {
      const lines = nextLines(options.dir, { stream, segments, at });
      if (lines.length === 0) break;
      const taken = await ship(options, { stream, lines, at });
      if (taken === 'away') return false;
      if (taken === 'moved') Object.assign(at, { segment: segments[0] ?? 1, offset: 0 });
    }
    deleteTaken(options.dir, { stream, segments, at, isLive: live.has(stream) });
    if (!live.has(stream)) progress.delete(stream);
    return true;
  };

  const shipStreams = async (): Promise<void> => {
    for (const [stream, segments] of streamsIn(options.dir)) if (!(await shipStream(stream, segments))) return;
  };

  return {
    begin: (stream) => live.add(stream),
    end: (stream) => live.delete(stream),
    tick: () => {
      underway ??= shipStreams().finally(() => {
        underway = null;
      });
      return underway;
    },
    flush: async () => {
      // What is under way may have passed a stream before its newest rows came.
      await underway;
      await shipStreams();
    },
    backlog: () => backlogOf(options.dir, progress),
  };
}

function backlogOf(dir: string, progress: ReadonlyMap<string, Progress>): number {
  let rows = 0;
  for (const [stream, segments] of streamsIn(dir)) {
    const newest = segments.at(-1);
    const last = newest === undefined ? null : lastLineOf(fileOf(dir, stream, newest));
    if (last !== null) rows += Math.max(0, last.seq + 1 - (progress.get(stream)?.nextSeq ?? 1));
  }
  return rows;
}

interface Batch {
  readonly stream: string;
  readonly lines: readonly Line[];
  readonly at: Progress;
}

/** Sends one batch and moves on: `moved` when the console stands elsewhere, so that reading must start again. */
async function ship(
  { client, say }: Parameters<typeof createAuditShipping>[0],
  { stream, lines, at }: Batch,
): Promise<'taken' | 'moved' | 'away'> {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return 'taken';
  const base = at.renumberedFrom === null ? 0 : at.renumberedFrom - 1;
  const name = at.renumberedFrom === null ? stream : `${stream}+${at.renumberedFrom}`;
  const rows = lines.map(({ row, seq }) => ({ ...row, seq: seq - base }));
  const answer = await client.post('audit', { stream: name, from: first.seq - base, rows });
  const reply = answer.kind === 'ok' ? readReply(answer.body) : null;
  if (reply === null) {
    if (answer.kind === 'refused')
      say(`The console refused audit rows of ${name} (${answer.status}): ${answer.message}`);
    return 'away';
  }
  const nextSeq = reply + base;
  if (nextSeq === last.seq + 1) {
    Object.assign(at, { nextSeq, segment: last.segment, offset: last.endOffset });
    return 'taken';
  }
  if (nextSeq < first.seq && at.nextSeq === nextSeq) {
    say(`The console lacks rows of ${name} before ${first.seq}; the rest travels as a stream of its own.`);
    Object.assign(at, { renumberedFrom: first.seq, nextSeq: first.seq });
  } else {
    at.nextSeq = nextSeq;
  }
  return 'moved';
}

function readReply(body: Buffer): number | null {
  try {
    return AuditShipmentReply.parse(JSON.parse(body.toString('utf8'))).nextSeq;
  } catch {
    return null;
  }
}

interface Place {
  readonly stream: string;
  readonly segments: readonly number[];
  readonly at: Progress;
}

function nextLines(dir: string, { stream, segments, at }: Place): Line[] {
  const lines: Line[] = [];
  for (const segment of segments.filter((one) => one >= at.segment)) {
    const offset = segment === at.segment ? at.offset : 0;
    const from = { segment, offset, fromSeq: at.nextSeq, most: MAX_ROWS - lines.length };
    lines.push(...readLines(fileOf(dir, stream, segment), from));
    if (lines.length >= MAX_ROWS) break;
  }
  // A crash of the machine may have torn a row out; a shipment holds none of the rows behind such a hole.
  const [first] = lines;
  const hole = lines.findIndex(({ seq }, index) => seq !== (first?.seq ?? 0) + index);
  return hole < 0 ? lines : lines.slice(0, hole);
}

function deleteTaken(dir: string, { stream, segments, at, isLive }: Place & { isLive: boolean }): void {
  const newest = segments.at(-1);
  for (const segment of segments) {
    if (isLive && segment === newest) continue;
    const last = lastLineOf(fileOf(dir, stream, segment));
    if (last === null || last.seq < at.nextSeq) unlinkSync(fileOf(dir, stream, segment));
  }
}

function fileOf(dir: string, stream: string, segment: number): string {
  return join(dir, segmentFile(stream, segment));
}

function streamsIn(dir: string): Map<string, number[]> {
  const streams = new Map<string, number[]>();
  for (const file of readdirSync(dir).sort()) {
    const [, stream, segment] = FILE.exec(file) ?? [];
    if (stream === undefined || segment === undefined) continue;
    streams.set(stream, [...(streams.get(stream) ?? []), Number(segment)]);
  }
  return streams;
}
