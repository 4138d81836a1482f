import type { Definition, DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { CLASSIFICATIONS } from '#gateway/contract/definitions/object-type.ts';
import type { CheckFinding } from './finding.ts';
import type { Catalog } from './model.ts';
import { bytesInWords, countInWords } from './words.ts';

type Says = Pick<CheckFinding, 'code' | 'severity' | 'path' | 'message'> & { readonly example?: string };

/**
 * What an edit does to callers and to stored data of the published definition. Errors are what the store's layout cannot
 * follow; warnings are what callers may notice.
 */
export function checkCompatibility(before: Definition, after: Definition | null): readonly CheckFinding[] {
  const says = after === null ? removal(before) : comparison(before, after);
  return says.map((one) => ({ kind: before.kind, name: before.name, ...one }));
}

/**
 * Checks of one tenant's quotas on their own: a quota of zero refuses everything of its kind (`quota_zero`).
 */
export function checkQuotas(catalog: Catalog, edited: ReadonlySet<string>): readonly CheckFinding[] {
  return [...catalog.tenant.values()]
    .filter(({ name }) => edited.has(name))
    .flatMap(({ name, document }) => {
      const zero = (['readsPerSecond', 'writesPerSecond', 'ruPerSecond'] as const).filter(
        (field) => document.quotas[field] === 0,
      );
      return zero.map(
        (field): CheckFinding => ({
          code: 'quota_zero',
          severity: document.mode === 'enforce' ? 'warning' : 'info',
          kind: 'tenant',
          name,
          path: `quotas.${field}`,
          message: `A quota of 0 refuses every ${ZERO_WORDS[field]} of ${name}.`,
          example: 'Every such request is answered 429 quota_exceeded.',
        }),
      );
    });
}

const ZERO_WORDS = { readsPerSecond: 'read', writesPerSecond: 'write', ruPerSecond: 'request' } as const;

function comparison(before: Definition, after: Definition): readonly Says[] {
  if (before.kind === 'objectType' && after.kind === 'objectType') return compareObjectTypes(before, after);
  if (before.kind === 'edgeType' && after.kind === 'edgeType') return compareEdgeTypes(before, after);
  if (before.kind === 'principal' && after.kind === 'principal') return comparePrincipals(before, after);
  return [];
}

function compareObjectTypes(before: DefinitionOf<'objectType'>, after: DefinitionOf<'objectType'>): readonly Says[] {
  const says: Says[] = [];
  const [was, is] = [before.document, after.document];
  if (is.maxBytes < was.maxBytes) {
    says.push({
      code: 'max_bytes_narrowed',
      severity: 'warning',
      path: 'maxBytes',
      message: `Objects between ${bytesInWords(is.maxBytes)} and ${bytesInWords(was.maxBytes)} stay readable but can no longer be written.`,
      example: `A put of ${bytesInWords(is.maxBytes + 1)} gets 413 content_too_large.`,
    });
  }
  if (CLASSIFICATIONS.indexOf(is.classification) < CLASSIFICATIONS.indexOf(was.classification)) {
    says.push({
      code: 'classification_lowered',
      severity: 'warning',
      path: 'classification',
      message: `${before.name} goes from ${was.classification} to ${is.classification}; policies that exclude ${was.classification} types may now include it.`,
    });
  }
  return [...says, ...compareAudit(was.audit, is.audit)];
}

function compareEdgeTypes(before: DefinitionOf<'edgeType'>, after: DefinitionOf<'edgeType'>): readonly Says[] {
  const [was, is] = [before.document, after.document];
  const says: Says[] = [];
  for (const end of ['from', 'to'] as const) {
    if (was[end] !== is[end]) {
      says.push({
        code: 'edge_ends_changed',
        severity: 'error',
        path: end,
        message: `The ends of a published edge type stay. Add a new edge type for ${is.from} → ${is.to}.`,
        example: `Stored edges of ${before.name} run from ${was.from} to ${was.to}.`,
      });
    }
  }
  if (was.cardinality === 'many' && is.cardinality === 'one') {
    says.push({
      code: 'cardinality_narrowed',
      severity: 'error',
      path: 'cardinality',
      message: `An object may already have many edges of ${before.name}, so it cannot become one. Add a new edge type.`,
    });
  }
  if (was.inverse !== is.inverse) says.push(inverseChanged(before.name, was.inverse, is.inverse));
  return [...says, ...narrowedLimits(before, after), ...compareAudit(was.audit, is.audit)];
}

function inverseChanged(name: string, was: string | undefined, is: string | undefined): Says {
  return {
    code: 'inverse_changed',
    severity: 'warning',
    path: 'inverse',
    message:
      is === undefined
        ? `${was ?? ''} no longer mirrors ${name}; edges already mirrored stay as they are.`
        : `${is} mirrors edges of ${name} written from now on. Edges written before are not in it.`,
  };
}

const LIMITS = [
  { field: 'listCap', code: 'list_cap_narrowed', what: 'edges a page', effect: 'Longer lists are cut to more pages.' },
  {
    field: 'maxEdges',
    code: 'max_edges_narrowed',
    what: 'edges an object',
    effect: 'Objects with more keep them and get no new ones.',
  },
  {
    field: 'dataMaxBytes',
    code: 'edge_data_narrowed',
    what: 'bytes of edge data',
    effect: 'Larger data stays readable and can no longer be written.',
  },
] as const;

function narrowedLimits(before: DefinitionOf<'edgeType'>, after: DefinitionOf<'edgeType'>): readonly Says[] {
  return LIMITS.filter(({ field }) => after.document[field] < before.document[field]).map(
    ({ field, code, what, effect }): Says => ({
      code,
      severity: 'warning',
      path: field,
      message: `From ${countInWords(before.document[field])} to ${countInWords(after.document[field])} ${what}. ${effect}`,
    }),
  );
}

type Audit = DefinitionOf<'objectType'>['document']['audit'];
const READ_LEVELS = ['none', 'sampled', 'all'] as const;

function compareAudit(was: Audit, is: Audit): readonly Says[] {
  const says: Says[] = [];
  if (READ_LEVELS.indexOf(is.reads) < READ_LEVELS.indexOf(was.reads)) {
    says.push(auditReduced('audit.reads', `Reads recorded: ${was.reads} → ${is.reads}.`));
  }
  if (was.writes === 'all' && is.writes === 'none') {
    says.push(auditReduced('audit.writes', 'Writes are no longer recorded in the audit log.'));
  }
  return says;
}

function auditReduced(path: string, message: string): Says {
  return { code: 'audit_reduced', severity: 'warning', path, message };
}

function comparePrincipals(before: DefinitionOf<'principal'>, after: DefinitionOf<'principal'>): readonly Says[] {
  if (before.document.tenant === after.document.tenant) return [];
  return [
    {
      code: 'tenant_changed',
      severity: 'warning',
      path: 'tenant',
      message: `Keys of ${before.name} move from tenant ${before.document.tenant} to ${after.document.tenant} at once.`,
    },
  ];
}

const REMOVALS: Readonly<Record<Definition['kind'], (name: string) => Pick<Says, 'message' | 'example'>>> = {
  objectType: (name) => ({
    message: `Requests for ${name} get unknown_type. Stored objects stay and come back when it is restored.`,
    example: `GET …/objects/${name}/{id} gets 404 unknown_type.`,
  }),
  edgeType: (name) => ({
    message: `Requests for ${name} get unknown_edge_type. Stored edges stay and come back when it is restored.`,
  }),
  policy: (name) => ({ message: `Whatever only ${name} permits is denied; whatever only it forbids is not.` }),
  tenant: (name) => ({ message: `Every request for tenant ${name} gets unknown_tenant. Its data stays.` }),
  principal: (name) => ({ message: `Every key of ${name} is refused as unauthenticated.` }),
};

function removal(before: Definition): readonly Says[] {
  return [{ code: 'removed', severity: 'warning', path: '', ...REMOVALS[before.kind](before.name) }];
}
