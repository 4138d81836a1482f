import { Definition } from '#gateway/contract/definitions/definition.ts';
import { EXAMPLE_DEFINITIONS } from '#server/seed/example.ts';

/** How many of each kind an installation may have and everything still holds. */
export const LARGE = { objectTypes: 10_000, edgeTypes: 20_000, tenants: 1_000 } as const;

/**
 * The example grown to the size that an installation may have: each tenant with a service, each type described in words of
 * its own, every tenth edge type with an inverse, owners spread over the example's teams.
 */
export function largeInstallation(size: { readonly [K in keyof typeof LARGE]: number } = LARGE): Definition[] {
  const { objectTypes, edgeTypes, tenants } = size;
  const list = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
  const of = (kind: string, name: string, document: object) => Definition.parse({ kind, name, document });
  return [
    ...EXAMPLE_DEFINITIONS,
    ...list(objectTypes, (at) => of('objectType', `Type${at}`, objectTypeDocument(at))),
    ...list(edgeTypes, (at) => of('edgeType', `edge${at}`, edgeTypeDocument(at, objectTypes))),
    ...list(tenants, (at) => of('tenant', `tenant-${at}`, tenantDocument(at))),
    ...list(tenants, (at) => of('principal', `service-${at}`, principalDocument(at))),
  ];
}

const AUDIT = { reads: 'none', writes: 'all' };
const TEAMS = ['chat', 'platform', 'search'];
const teamOf = (at: number) => TEAMS[at % TEAMS.length];

function objectTypeDocument(at: number): object {
  return {
    ownerTeam: teamOf(at),
    description: `What the ${at}th product keeps of a thing: ${words(at)}.`,
    classification: 'internal',
    maxBytes: 100_000 + at,
    audit: AUDIT,
  };
}

function edgeTypeDocument(at: number, objectTypes: number): object {
  // Pairs of a forward edge type and the one that mirrors it, among others that have none.
  const isForward = at % 20 === 0;
  const isInverse = at % 20 === 1;
  const from = (isInverse ? at - 1 : at) % objectTypes;
  const to = (from * 7 + 1) % objectTypes;
  return {
    ownerTeam: teamOf(from),
    description: `Connects the ${at}th pair of things: ${words(at)}.`,
    from: `Type${isInverse ? to : from}`,
    to: `Type${isInverse ? from : to}`,
    ...(isForward ? { inverse: `edge${at + 1}` } : {}),
    cardinality: 'many',
    listCap: 1_000,
    maxEdges: 100_000 + at,
    dataMaxBytes: 1_024,
    audit: AUDIT,
  };
}

function tenantDocument(at: number): object {
  const quotas = { readsPerSecond: 1_000 + at, writesPerSecond: 500, ruPerSecond: 50_000, inFlight: 200 };
  return {
    ownerTeam: teamOf(at),
    displayName: `Customer ${words(at)}`,
    contact: `c${at}@example.test`,
    quotas,
    mode: 'enforce',
  };
}

function principalDocument(at: number): object {
  const description = `The service of customer ${at}.`;
  return {
    ownerTeam: teamOf(at),
    description,
    tenant: `tenant-${at}`,
    actorKind: 'service',
    groups: [],
    disabled: false,
  };
}

const WORDS = ['order', 'thread', 'photo', 'invoice', 'member', 'place', 'reply', 'draft', 'label', 'shift'];

/** A few words that differ from one number to the next. */
function words(at: number): string {
  return [at, at * 3, at * 7, at * 11].map((one) => WORDS[(one + Math.floor(one / 10)) % WORDS.length]).join(' ');
}
