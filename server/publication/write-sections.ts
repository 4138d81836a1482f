import 'server-only';
import { z } from 'zod';
import type { Tx } from '#server/db/client.ts';
import type { BuiltSection } from './split-section.ts';

/** Rows of one statement: some megabytes at most. */
const ROWS_A_STATEMENT = 500;

const Known = z.array(z.object({ sha256: z.string() }));

/** Writes the sections that no release had before. A release that changes one type sends a few of thousands. */
export async function writeSections(tx: Tx, sections: readonly BuiltSection[]): Promise<void> {
  const hashes = [...new Set(sections.map(({ sha256 }) => sha256))];
  const rows = Known.parse(await tx.$queryRaw`SELECT sha256 FROM release_section WHERE sha256 = ANY(${hashes})`);
  const known = new Set(rows.map(({ sha256 }) => sha256));
  const fresh = sections.filter(({ sha256 }) => !known.has(sha256));
  for (let at = 0; at < fresh.length; at += ROWS_A_STATEMENT) {
    await tx.releaseSection.createMany({ data: fresh.slice(at, at + ROWS_A_STATEMENT), skipDuplicates: true });
  }
}
