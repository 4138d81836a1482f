import 'server-only';
import type { DraftEdit } from '#server/compile/model.ts';
import { compareVersions } from '#server/contract/gateway-state.ts';
import type { Reader } from '#server/db/client.ts';
import { readStandings } from '#server/db/gateway-standing.ts';
import { MIN_GATEWAY_VERSION } from '#server/publication/build-release.ts';
import type { StoredFinding } from './stored-finding.ts';

/** Gateways that have not left and could not run the release: they would reject it and go on with what they serve. */
export async function checkGateways(
  db: Reader,
  edits: readonly DraftEdit[],
  nowMs: number,
): Promise<readonly StoredFinding[]> {
  const first = edits[0];
  if (first === undefined) return [];
  const { gateways } = await readStandings(db, nowMs);
  return gateways
    .filter(({ row }) => compareVersions(row.version, MIN_GATEWAY_VERSION) < 0)
    .map(({ name, serves, row }): StoredFinding => {
      const still = serves === null ? 'serves nothing' : `goes on with r${serves}`;
      return {
        code: 'gateway_too_old',
        severity: 'warning',
        kind: first.kind,
        name: first.name,
        path: '',
        message: `${name} is of version ${row.version}; a release needs ${MIN_GATEWAY_VERSION}. It rejects it and ${still}.`,
        example: `Upgrade ${name}, or retire it.`,
        href: '/gateways',
      };
    });
}
