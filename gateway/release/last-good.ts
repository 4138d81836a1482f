import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ReleaseBytes } from './fetch.ts';

const FILE = 'last-good.json';

const Stored = z.object({
  sha256: z.string(),
  header: z.base64(),
  sections: z.record(z.string(), z.base64()),
});

/** The last release that this gateway served, kept so that it starts without the console. */
export interface LastGood {
  /** Null when there is none, or a sentence when the file cannot be read. */
  read(): ReleaseBytes | string | null;
  /** Replaces the file atomically; it survives a crash of the machine. */
  write(bytes: ReleaseBytes): void;
}

export function createLastGood(dir: string): LastGood {
  const file = join(dir, FILE);
  return {
    read: () => {
      let text: string;
      try {
        text = readFileSync(file, 'utf8');
      } catch {
        return null;
      }
      try {
        const { sha256, header, sections } = Stored.parse(JSON.parse(text));
        const entries = Object.entries(sections).map(([key, bytes]) => [key, Buffer.from(bytes, 'base64')] as const);
        return { sha256, header: Buffer.from(header, 'base64'), sections: new Map(entries) };
      } catch {
        return `The kept release in ${file} cannot be read.`;
      }
    },
    write: ({ sha256, header, sections }) => {
      mkdirSync(dir, { recursive: true });
      const entries = [...sections].map(([key, bytes]) => [key, bytes.toString('base64')]);
      const stored = { sha256, header: header.toString('base64'), sections: Object.fromEntries(entries) };
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(stored), { mode: 0o600, flush: true });
      renameSync(draft, file);
      const folder = openSync(dir, 'r');
      fsyncSync(folder);
      closeSync(folder);
    },
  };
}
