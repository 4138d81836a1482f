import type { Cause } from './answer.ts';
import { isType } from './check-lifecycle.ts';
import { EVIDENCE_DAYS, type TrafficEvidence, type Use } from './evidence.ts';
import type { CheckFinding, Judgement, TenantFinding } from './finding.ts';
import type { CheckResult } from './model.ts';
import { replay, type Shift } from './replay.ts';
import type { Comparison, Touched } from './touched.ts';
import { countInWords, listInWords } from './words.ts';

/** Findings of one code that are told one by one. */
const MAX_TOLD = 20;

/**
 * What the requests of the last 30 days say to a change: who used the edited types (`type_used`; `type_in_use` for a
 * removal), which of those requests would newly be refused (`newly_refused`) and which refused ones newly served
 * (`newly_allowed`), each with one request to look at.
 */
export function judgeTraffic(touched: Touched, checked: CheckResult, evidence: TrafficEvidence): Judgement {
  const { refused, allowed, replayed } = replay(checked, evidence);
  const findings = [
    ...touched.comparisons.flatMap((one) => usersOf(one, evidence)),
    ...told(refused, (shift) => refusal(shift, touched.comparisons)),
    ...told(allowed, (shift) => admission(shift, touched.comparisons)),
  ];
  return { findings, summary: summaryOf({ touched, replayed, refused, allowed }) };
}

function usersOf({ before, after }: Comparison, { uses }: TrafficEvidence): readonly TenantFinding[] {
  if (before === null || !isType(before)) return [];
  const own = uses.filter(({ type }) => type === before.name);
  return [...Map.groupBy(own, ({ tenant }) => tenant)].map(([tenant, users]): TenantFinding => {
    const says = users.toSorted(byRequests).map(({ principal, requests }) => `${principal} ${countInWords(requests)}`);
    const common = { kind: before.kind, name: before.name, path: '', tenant };
    const used = `${before.name} in the last ${EVIDENCE_DAYS} days`;
    if (after !== null) {
      return {
        ...common,
        code: 'type_used',
        severity: 'info',
        message: `Tenant ${tenant} used ${used}: ${listInWords(says)} requests.`,
        instead: `Tenant ${tenant} used ${used}.`,
      };
    }
    const advice = 'Deprecate it first, and remove it when nobody has asked for it that long.';
    return {
      ...common,
      code: 'type_in_use',
      severity: 'error',
      message: `Tenant ${tenant} still used ${used}: ${listInWords(says)} requests. ${advice}`,
      instead: `Tenant ${tenant} still used ${used}. ${advice}`,
    };
  });
}

function told(
  shifts: readonly Shift[],
  tell: (shift: Shift) => TenantFinding,
): readonly (TenantFinding | CheckFinding)[] {
  const ordered = shifts.toSorted((a, b) => b.requests - a.requests);
  const findings: (TenantFinding | CheckFinding)[] = ordered.slice(0, MAX_TOLD).map(tell);
  const rest = ordered.slice(MAX_TOLD);
  const first = rest[0];
  if (first === undefined) return findings;
  const { code, severity, kind, name, path } = tell(first);
  const message = `${countInWords(rest.length)} more pairs of principal and type come out otherwise.`;
  return [...findings, { code, severity, kind, name, path, message }];
}

const ABOUT = { all: '', about: 'about ', 'up to': 'up to ' } as const;

function refusal(shift: Shift, comparisons: readonly Comparison[]): TenantFinding {
  const { use, cause, requests, exactness, sample } = shift;
  const who = `${use.principal} of tenant ${use.tenant}`;
  const count = `${ABOUT[exactness]}${countInWords(requests)} of its requests in the last ${EVIDENCE_DAYS} days`;
  return {
    ...placeOf(shift, comparisons),
    code: 'newly_refused',
    severity: 'warning',
    message: `${who} ${lossInWords(shift)}: ${count} would be refused as ${CODES[cause](use.type)}.`,
    instead: `Requests of a principal of tenant ${use.tenant} for ${use.type} would be refused.`,
    tenant: use.tenant,
    ...sampleOf(sample, 'One of them, served then'),
  };
}

function admission(shift: Shift, comparisons: readonly Comparison[]): TenantFinding {
  const { use, actions, requests, sample } = shift;
  return {
    ...placeOf(shift, comparisons),
    code: 'newly_allowed',
    severity: 'warning',
    message: `${use.principal} of tenant ${use.tenant} may now ${listInWords(actions)} ${use.type}: ${countInWords(requests)} kept refusals would have been served.`,
    instead: `Requests of a principal of tenant ${use.tenant} for ${use.type}, refused lately, would be served.`,
    tenant: use.tenant,
    ...sampleOf(sample, 'One of them, refused then'),
  };
}

function lossInWords({ use, cause, actions }: Shift): string {
  return cause === 'policy' ? `loses ${listInWords(actions)} of ${use.type}` : `uses ${use.type}`;
}

const CODES: Readonly<Record<Cause, (type: string) => string>> = {
  policy: () => 'forbidden',
  'type removed': (type) => (/^[a-z]/.test(type) ? 'unknown_edge_type' : 'unknown_type'),
  'type deprecated': () => 'type_deprecated',
  'tenant removed': () => 'unknown_tenant',
  'principal gone': () => 'unauthenticated',
};

function sampleOf(sample: Shift['sample'], words: string): Pick<CheckFinding, 'example' | 'href'> {
  if (sample === null) return { example: 'None of them was kept one by one.' };
  return { example: `${words}: ${sample.operation} ${sample.id}.`, href: `/requests/${sample.id}` };
}

/** The edit that makes the difference: a policy that decides, else what the cause is about, else the first one. */
function placeOf(
  { use, policies }: Shift,
  comparisons: readonly Comparison[],
): Pick<CheckFinding, 'kind' | 'name' | 'path'> {
  const of = (kinds: readonly string[], names: readonly string[]) =>
    comparisons.find(({ edit }) => kinds.includes(edit.kind) && names.includes(edit.name));
  const found =
    of(['policy'], policies) ??
    of(['objectType', 'edgeType'], [use.type]) ??
    of(['principal'], [use.principal]) ??
    of(['tenant'], [use.tenant]) ??
    comparisons.find(({ edit }) => edit.kind === 'policy') ??
    comparisons[0];
  if (found === undefined) return { kind: 'principal', name: use.principal, path: '' };
  const { kind, name, document } = found.edit;
  return { kind, name, path: kind === 'policy' && document !== null ? 'cedar' : '' };
}

function summaryOf(of: {
  readonly touched: Touched;
  readonly replayed: number;
  readonly refused: readonly Shift[];
  readonly allowed: readonly Shift[];
}): string {
  const { touched, replayed, refused, allowed } = of;
  if (touched.types.size + touched.principals.size === 0) return 'Nothing here changes how a request comes out.';
  if (replayed === 0) return `No request of the last ${EVIDENCE_DAYS} days was about what it touches.`;
  const pairs = `${countInWords(replayed)} ${replayed === 1 ? 'pair' : 'pairs'} of principal and type decided anew`;
  if (refused.length + allowed.length === 0) return `${pairs}: every request comes out as before.`;
  return `${pairs}: ${countInWords(refused.length)} would lose requests, ${countInWords(allowed.length)} would gain some.`;
}

function byRequests(a: Use, b: Use): number {
  return b.requests - a.requests;
}
