import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseHeader } from '#gateway/contract/release.ts';
import type { SectionBytes } from './gather.ts';
import { ReleaseRejected } from './release-rejected.ts';
import { sha256Of } from './verify.ts';

const FILE = 'last-good.jsonl';
const NEWLINE = 10;

/** A release as it lies on disk: the bytes that were verified, so that they can be verified again. */
export interface ReleaseBytes {
  readonly sha256: string;
  readonly header: Buffer;
  readonly sections: SectionBytes;
}

/**
 * The last release that this gateway served, kept so that it starts without the console: a line with the header, then a
 * line for each section and each part.
 */
export interface LastGood {
  /** Null when there is none. Throws `ReleaseRejected` when the file cannot be read. */
  read(): ReleaseBytes | null;
  /** Replaces the file atomically; it survives a crash of the machine. */
  write(bytes: ReleaseBytes): void;
}

export function createLastGood(dir: string): LastGood {
  const file = join(dir, FILE);
  return {
    read: () => {
      const content = readIfThere(file);
      if (content === null) return null;
      const [header, ...sections] = linesOf(content);
      try {
        const { sha256 } = ReleaseHeader.parse(JSON.parse(header?.toString('utf8') ?? ''));
        return {
          sha256,
          header: header ?? Buffer.alloc(0),
          sections: new Map(sections.map((bytes) => [sha256Of(bytes), bytes])),
        };
      } catch {
        throw new ReleaseRejected(`The kept release in ${file} cannot be read.`);
      }
    },
    write: ({ header, sections }) => {
      mkdirSync(dir, { recursive: true });
      const draft = `${file}.${process.pid}`;
      const lines = [header, ...sections.values()].flatMap((line) => [line, Buffer.of(NEWLINE)]);
      const handle = openSync(draft, 'w', 0o600);
      try {
        writeSync(handle, Buffer.concat(lines));
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      renameSync(draft, file);
      const folder = openSync(dir, 'r');
      fsyncSync(folder);
      closeSync(folder);
    },
  };
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

/** Sections are canonical JSON, which has no line break. */
function linesOf(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < content.length; ) {
    const end = content.indexOf(NEWLINE, from);
    lines.push(content.subarray(from, end < 0 ? content.length : end));
    from = end < 0 ? content.length : end + 1;
  }
  return lines;
}
