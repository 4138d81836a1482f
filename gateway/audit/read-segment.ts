import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { AuditRow } from '#gateway/contract/audit.ts';

const CHUNK_BYTES = 1_000_000;
const TAIL_BYTES = 65_536;
const NEWLINE = 10;

export interface Line {
  readonly seq: number;
  readonly row: AuditRow;
  readonly segment: number;
  /** Offset of the byte after the line. */
  readonly endOffset: number;
}

/** Whole lines from an offset on, rows before `fromSeq` left out. A line without its newline is still being written. */
export function readLines(
  file: string,
  from: { segment: number; offset: number; fromSeq: number; most: number },
): Line[] {
  const lines: Line[] = [];
  let { offset } = from;
  for (;;) {
    const chunk = readChunk(file, offset, CHUNK_BYTES);
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) return lines;
    for (let start = 0; start < end; ) {
      const stop = chunk.indexOf(NEWLINE, start) + 1;
      const row = parseRow(chunk.toString('utf8', start, stop));
      start = stop;
      if (row !== null && row.seq >= from.fromSeq) {
        lines.push({ seq: row.seq, row, segment: from.segment, endOffset: offset + stop });
        if (lines.length >= from.most) return lines;
      }
    }
    offset += end;
  }
}

/** The last whole line of a file; null when it has none. */
export function lastLineOf(file: string): AuditRow | null {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(fd, tail, 0, tail.length, size - tail.length);
    const [line] = tail
      .toString('utf8', 0, tail.lastIndexOf(NEWLINE) + 1)
      .trimEnd()
      .split('\n')
      .slice(-1);
    return line === undefined || line === '' ? null : parseRow(line);
  } finally {
    closeSync(fd);
  }
}

/** Rows come from a file that a crash may have torn: what is not a row is passed over. */
function parseRow(line: string): AuditRow | null {
  try {
    const row = AuditRow.safeParse(JSON.parse(line));
    return row.success ? row.data : null;
  } catch {
    return null;
  }
}

function readChunk(file: string, offset: number, most: number): Buffer {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(most);
    return buffer.subarray(0, readSync(fd, buffer, 0, most, offset));
  } finally {
    closeSync(fd);
  }
}
