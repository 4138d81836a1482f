import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { isType } from './check-lifecycle.ts';
import type { CheckFinding, Judgement, TenantFinding } from './finding.ts';
import type { Touched } from './touched.ts';
import { bytesInWords, countInWords } from './words.ts';

/** What is known of what is stored under a type: the gateways' own count, else what telemetry bounds. */
export interface StoredBounds {
  /**
   * How many objects or edges gateways counted, of what moment, and how many were written after it at most; null until
   * they counted everything once.
   */
  readonly stored: { readonly count: number; readonly asOfMs: number; readonly writesSince: number } | null;
  /** Writes served since the type was first published: at most so many objects or edges are stored. */
  readonly writes: number;
  /** False when the type is older than telemetry is kept: then `writes` bounds nothing. */
  readonly isWhole: boolean;
  /** The object that kept writes went to most often, with how many of them and the newest. */
  readonly busiest: {
    readonly tenant: string;
    readonly objectId: string;
    readonly writes: number;
    readonly requestId: string;
  } | null;
}

/** A limit or a removal that stored data may not fit. */
interface Narrowing {
  readonly type: DefinitionOf<'objectType'> | DefinitionOf<'edgeType'>;
  readonly path: string;
  readonly says: string;
  readonly isRemoval: boolean;
}

/**
 * Narrower limits and removals against what may be stored. Until the store counts, writes served since the type was first
 * published bound it from above; where not even that is known the finding is `check_incomplete`.
 */
export function judgeStored(touched: Touched, bounds: ReadonlyMap<string, StoredBounds>): Judgement {
  const narrowings = touched.comparisons.flatMap(narrowingsOf);
  if (narrowings.length === 0) return { findings: [], summary: 'Nothing here leaves stored data behind.' };
  const findings = narrowings.flatMap((one) => judge(one, bounds.get(one.type.name)));
  const incomplete = findings.filter(({ code }) => code === 'check_incomplete').length;
  if (incomplete > 0) {
    return {
      findings,
      summary: `Could not run for ${incomplete} of ${narrowings.length}: the store has no counts yet.`,
    };
  }
  const isCounted = narrowings.every(({ type }) => (bounds.get(type.name)?.stored ?? null) !== null);
  if (isCounted) {
    const basis = 'Counted by gateways in the store itself.';
    return { findings, summary: findings.length === 0 ? `Nothing is stored there. ${basis}` : basis };
  }
  const basis = 'Bounded by the writes served since each type was first published; the store itself is not counted.';
  return { findings, summary: findings.length === 0 ? `Nothing was ever written there. ${basis}` : basis };
}

function narrowingsOf({ before, after }: Touched['comparisons'][number]): readonly Narrowing[] {
  if (before === null || !isType(before)) return [];
  if (after === null) return [{ type: before, path: '', says: 'would stay and be out of reach', isRemoval: true }];
  const narrowing = (path: string, says: string): Narrowing => ({ type: before, path, says, isRemoval: false });
  if (before.kind === 'objectType' && after.kind === 'objectType') {
    const { maxBytes } = after.document;
    const isNarrower = maxBytes < before.document.maxBytes;
    return isNarrower ? [narrowing('maxBytes', `may be larger than ${bytesInWords(maxBytes)}`)] : [];
  }
  if (before.kind !== 'edgeType' || after.kind !== 'edgeType') return [];
  const { maxEdges, dataMaxBytes, cardinality, inverse } = after.document;
  const was = before.document;
  return [
    ...(maxEdges < was.maxEdges
      ? [narrowing('maxEdges', `may be more than ${countInWords(maxEdges)} of one object`)]
      : []),
    ...(dataMaxBytes < was.dataMaxBytes
      ? [narrowing('dataMaxBytes', `may carry more than ${bytesInWords(dataMaxBytes)} of data`)]
      : []),
    ...(cardinality === 'one' && was.cardinality === 'many'
      ? [narrowing('cardinality', 'may be several of one object')]
      : []),
    ...(inverse !== undefined && was.inverse === undefined ? [narrowing('inverse', 'have no inverse yet')] : []),
  ];
}

function judge({ type, path, says, isRemoval }: Narrowing, bounds: StoredBounds | undefined): Judgement['findings'] {
  const noun = type.kind === 'objectType' ? 'objects' : 'edges';
  const at = { kind: type.kind, name: type.name, path };
  const stored = bounds?.stored ?? null;
  if (bounds === undefined || (stored === null && !bounds.isWhole)) {
    return [
      {
        ...at,
        code: 'check_incomplete',
        severity: isRemoval ? 'error' : 'warning',
        message: `Stored ${noun} of ${type.name} could not be counted: the store has no counts yet, and the type is older than its telemetry.`,
      },
    ];
  }
  if ((stored === null ? bounds.writes : stored.count + stored.writesSince) === 0) return [];
  const message =
    stored === null
      ? `Up to ${countInWords(bounds.writes)} ${noun} of ${type.name} were written since it was first published; they ${says}.`
      : `${countedInWords(stored, type)}, which ${says}.`;
  const finding: CheckFinding = {
    ...at,
    code: isRemoval ? 'stored_orphaned' : 'stored_over_limit',
    severity: 'warning',
    message,
  };
  return [
    bounds.busiest === null ? { ...finding, example: 'No write of it was kept.' } : withSample(finding, bounds.busiest),
  ];
}

/** Which object it was is the tenant's own affair. */
function withSample(finding: CheckFinding, busiest: NonNullable<StoredBounds['busiest']>): TenantFinding {
  const what = finding.kind === 'objectType' ? `object ${busiest.objectId}` : `edges of object ${busiest.objectId}`;
  const times = busiest.writes === 1 ? 'one kept write' : `${countInWords(busiest.writes)} kept writes`;
  return {
    ...finding,
    example: `E.g. ${what}: ${times}, the newest ${busiest.requestId}.`,
    href: `/requests/${busiest.requestId}`,
    tenant: busiest.tenant,
    instead: finding.message,
  };
}

function countedInWords(
  { count, asOfMs, writesSince }: NonNullable<StoredBounds['stored']>,
  { kind, name }: Narrowing['type'],
): string {
  const one = kind === 'objectType' ? 'object' : 'edge';
  const moment = `${new Date(asOfMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const since = writesSince === 0 ? '' : `, and up to ${countInWords(writesSince)} written since`;
  return `Stored at ${moment}: ${countInWords(count)} ${count === 1 ? one : `${one}s`} of ${name}${since}`;
}
