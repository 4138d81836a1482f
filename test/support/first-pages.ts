import { listAudit } from '#server/audit/list-audit.ts';
import { listChanges } from '#server/changes/list-changes.ts';
import type { Ctx } from '#server/context.ts';
import { AuditQuery } from '#server/contract/audit.ts';
import { ChangeQuery } from '#server/contract/changes.ts';
import { DefinitionQuery, NeighbourQuery } from '#server/contract/definitions.ts';
import { ReleaseQuery } from '#server/contract/releases.ts';
import { listGateways } from '#server/gateways/list-gateways.ts';
import { listDefinitions } from '#server/registry/list-definitions.ts';
import { listNeighbours } from '#server/registry/list-neighbours.ts';
import { listReleases } from '#server/releases/list-releases.ts';

type FirstPage = (ctx: Ctx) => Promise<{ readonly length: number }>;

const definitions = (more: object): FirstPage => {
  return async (ctx) => (await listDefinitions(ctx, DefinitionQuery.parse(more))).items;
};

/** The first page of each list of the console, as its page asks for it. */
export const FIRST_PAGES: Readonly<Record<string, FirstPage>> = {
  'object types': definitions({ kind: 'objectType' }),
  'edge types': definitions({ kind: 'edgeType' }),
  'all types': definitions({ kind: 'type' }),
  'types that a word finds': definitions({ kind: 'type', q: 'ulk1' }),
  'types of my teams': definitions({ kind: 'type', team: 'mine' }),
  'edge types around a type': async (ctx) => {
    const around = NeighbourQuery.parse({});
    return (await listNeighbours(ctx, { kind: 'objectType', name: 'Bulk1', ...around })).items;
  },
  tenants: definitions({ kind: 'tenant' }),
  policies: definitions({ kind: 'policy' }),
  changes: async (ctx) => (await listChanges(ctx, ChangeQuery.parse({}))).items,
  releases: async (ctx) => (await listReleases(ctx, ReleaseQuery.parse({}))).items,
  audit: async (ctx) => (await listAudit(ctx, AuditQuery.parse({}))).items,
  'audit by a filter': async (ctx) => (await listAudit(ctx, AuditQuery.parse({ filter: 'tenant:chat' }))).items,
  gateways: async (ctx) => (await listGateways(ctx)).gateways,
};
