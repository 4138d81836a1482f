import 'server-only';
import { z } from 'zod';
import { Definition, DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { RefusedCall } from '#server/compile/denied-by.ts';
import { catalogOf, keyOf, type State } from '#server/compile/model.ts';
import { type ReadPolicy, readPolicy } from '#server/compile/read-policy.ts';
import type { Reader } from '#server/db/client.ts';

const Rows = z.array(z.object({ kind: DefinitionKind, name: z.string(), release: z.int(), document: z.unknown() }));

/** What decisions about some calls depend on, as it was under one release and under those after it. */
export interface DefinitionHistory {
  /** Releases after the first that moved any of it, in order. */
  readonly turns: readonly number[];
  /** The state under a release that is not before the first. */
  at(release: number): State;
}

/**
 * Every policy, and the tenants, principals and types that the calls name or lead to: each as it was under `from`, and every
 * revision since. One query, whatever the number of calls.
 */
export async function readHistory(
  db: Reader,
  { calls, from }: { readonly calls: readonly RefusedCall[]; readonly from: number },
): Promise<DefinitionHistory> {
  const rows = Rows.parse(
    await db.$queryRaw`
    WITH named AS (
      SELECT DISTINCT n.kind, n.name FROM jsonb_to_recordset(${JSON.stringify(namesOf(calls))}::jsonb) AS n(kind text, name text)
    ), wanted AS (
      SELECT kind, name FROM named
      UNION SELECT 'policy', name FROM definition WHERE kind = 'policy'
      UNION SELECT 'tenant', r.document->>'tenant' FROM definition_revision r JOIN named USING (kind, name) WHERE kind = 'principal'
      UNION SELECT 'objectType', r.document->>'from' FROM definition_revision r JOIN named USING (kind, name) WHERE kind = 'edgeType'
    )
    SELECT r.kind, r.name, r.release_number AS release, r.document
    FROM definition_revision r JOIN wanted USING (kind, name)
    WHERE r.release_number > ${from} OR r.revision = (
      SELECT max(w.revision) FROM definition_revision w
      WHERE w.kind = r.kind AND w.name = r.name AND w.release_number <= ${from})
    ORDER BY r.release_number, r.kind, r.name`,
  );
  return {
    turns: [...new Set(rows.map(({ release }) => release).filter((release) => release > from))],
    at: (release) => stateOf(rows.filter((row) => row.release <= release)),
  };
}

function namesOf(calls: readonly RefusedCall[]) {
  return calls.flatMap(({ tenant, principal, type, edgeType }) => [
    { kind: 'tenant', name: tenant },
    { kind: 'principal', name: principal },
    { kind: 'objectType', name: type },
    ...(edgeType === null ? [] : [{ kind: 'edgeType', name: edgeType }]),
  ]);
}

/** The newest of each name; null says that a release removed it. */
function stateOf(rows: z.infer<typeof Rows>): State {
  const newest = new Map(rows.map((row) => [keyOf(row), row]));
  const definitions = [...newest.values()]
    .filter(({ document }) => document !== null)
    .map(({ kind, name, document }) => Definition.parse({ kind, name, document }));
  const catalog = catalogOf(definitions);
  const policies = [...catalog.policy.values()].map((policy) => readPolicy(policy).policy);
  return { catalog, policies: policies.filter((policy): policy is ReadPolicy => policy !== null) };
}
