import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import type { Span } from './evidence.ts';
import type { Judgement, TenantFinding } from './finding.ts';
import type { Touched } from './touched.ts';
import { countInWords } from './words.ts';

/** Length of the shortest kept spans, seconds. */
const SPAN_SECONDS = 10;

/** What a tenant did in spans of ten seconds of the last 24 hours, and one kept request of the busiest. */
export interface QuotaEvidence {
  readonly spans: readonly Span[];
  /** The newest kept request at or after a moment, within ten seconds. */
  sampleAt(atMs: number): string | null;
}

const DIMENSIONS = [
  { field: 'readsPerSecond', of: 'reads', words: 'reads' },
  { field: 'writesPerSecond', of: 'writes', words: 'writes' },
  { field: 'ruPerSecond', of: 'ru', words: 'RU' },
] as const;

/**
 * Lowered quotas against what their tenants did in the last 24 hours: `quota_below_traffic` with the busiest ten seconds and
 * how many requests (or RU) lay beyond the new limit. A mean of ten seconds hides single busier ones, so these are the least.
 */
export function judgeQuotas(touched: Touched, evidence: ReadonlyMap<string, QuotaEvidence>): Judgement['findings'] {
  return touched.comparisons.flatMap(({ before, after }) => {
    if (before?.kind !== 'tenant' || after?.kind !== 'tenant') return [];
    const own = evidence.get(after.name);
    return own === undefined ? [] : judgeTenant(before, after, own);
  });
}

function judgeTenant(
  before: DefinitionOf<'tenant'>,
  after: DefinitionOf<'tenant'>,
  { spans, sampleAt }: QuotaEvidence,
): readonly TenantFinding[] {
  return DIMENSIONS.flatMap(({ field, of, words }) => {
    const limit = after.document.quotas[field];
    const isStricter = limit < before.document.quotas[field] || isEnforcedAnew(before, after);
    const beyond = spans.filter((span) => span[of] / SPAN_SECONDS > limit);
    const busiest = beyond.toSorted((a, b) => b[of] - a[of])[0];
    if (!isStricter || busiest === undefined) return [];
    const excess = beyond.reduce((sum, span) => sum + span[of] - limit * SPAN_SECONDS, 0);
    const peak = countInWords(Math.round(busiest[of] / SPAN_SECONDS));
    const verb = after.document.mode === 'enforce' ? 'refused' : 'counted as beyond it';
    const sample = sampleAt(busiest.atMs);
    return [
      {
        code: 'quota_below_traffic',
        severity: 'warning',
        kind: 'tenant',
        name: after.name,
        path: `quotas.${field}`,
        message: `In its busiest ten seconds of the last 24 hours ${after.name} used ${peak} ${words} a second; ${countInWords(limit)} would be allowed. At least ${countInWords(Math.round(excess))} ${words} would have been ${verb}.`,
        instead: `Tenant ${after.name} used more ${words} than that in the last 24 hours.`,
        tenant: after.name,
        ...(sample === null ? {} : { example: `One request of that time: ${sample}.`, href: `/requests/${sample}` }),
      },
    ];
  });
}

function isEnforcedAnew(before: DefinitionOf<'tenant'>, after: DefinitionOf<'tenant'>): boolean {
  return before.document.mode === 'shadow' && after.document.mode === 'enforce';
}
