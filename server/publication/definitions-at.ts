import 'server-only';
import { z } from 'zod';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { DraftEdit } from '#server/compile/model.ts';
import type { Reader } from '#server/db/client.ts';

const Rows = z.array(z.object({ kind: DefinitionKind, name: z.string(), document: z.unknown() }));

/**
 * The definitions that releases after `number` touched, each as it was in that release; `document` is null where it did
 * not exist. One query, whatever the length of the history.
 */
export async function touchedSince(db: Reader, number: number): Promise<readonly DraftEdit[]> {
  const rows = await db.$queryRaw`
    SELECT touched.kind, touched.name, was.document
    FROM (SELECT DISTINCT kind, name FROM definition_revision WHERE release_number > ${number}) touched
    LEFT JOIN LATERAL (
      SELECT document FROM definition_revision earlier
      WHERE earlier.kind = touched.kind AND earlier.name = touched.name AND earlier.release_number <= ${number}
      ORDER BY earlier.revision DESC LIMIT 1
    ) was ON true
    ORDER BY touched.kind, touched.name`;
  return Rows.parse(rows).map(({ document, ...key }) => ({ ...key, document: document ?? null }));
}
