import type { Definition, DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import type { Operation } from '#gateway/contract/telemetry.ts';
import { isType } from './check-lifecycle.ts';
import { EVIDENCE_DAYS, type OperationCost } from './evidence.ts';
import type { CheckFinding, Judgement } from './finding.ts';
import type { Comparison, Touched } from './touched.ts';
import { countInWords, listInWords } from './words.ts';

/** With fewer requests behind a figure it is called what it is: a few requests. */
const FEW = 100;
/** A write of an edge with an inverse writes the other object as well. */
const MIRROR_FACTOR = 2;

export interface CostEvidence {
  readonly costs: readonly OperationCost[];
  /** Days that the figures cover, at most 30. */
  readonly days: number;
}

/** One operation before and after. */
interface Line {
  readonly operation: Operation;
  readonly wasRu: number;
  readonly isRu: number;
  /** Requests behind `wasRu`; 0 when it is an estimate. */
  readonly requests: number;
  readonly why: string;
}

/**
 * What the edited types cost by operation and day, from served requests, and what the edits make of it: an inverse that
 * begins or ends, longer pages, larger objects, a type that goes. Findings: `cost_raised`, `cost_lowered`, `cost_unknown`.
 */
export function judgeCost(touched: Touched, evidence: CostEvidence): Judgement {
  const types = touched.comparisons.filter(({ before, after }) => [before, after].some((one) => one && isType(one)));
  const findings = types.flatMap((one) => judgeType(one, evidence));
  if (types.length === 0) return { findings, summary: 'Nothing here changes what an operation costs.' };
  const known = types.flatMap(({ edit }) => costWords(edit.name, evidence));
  const summary =
    known.length === 0 ? 'No request for these types yet, so their cost is an estimate.' : known.join(' ');
  return { findings, summary };
}

function judgeType({ before, after }: Comparison, evidence: CostEvidence): readonly CheckFinding[] {
  if (before === null) return after !== null && isType(after) ? [estimate(after)] : [];
  const own = evidence.costs.filter(({ type }) => type === before.name);
  const isGone = after === null || (isType(after) && after.document.lifecycle?.state === 'deprecated-error');
  const wasGone = isType(before) && before.document.lifecycle?.state === 'deprecated-error';
  if (isGone) return wasGone ? [] : saved(before, own, evidence);
  return linesOf(before, after, own).map((line) => lineFinding(after, line, evidence));
}

function linesOf(before: Definition, after: Definition, own: readonly OperationCost[]): readonly Line[] {
  if (before.kind === 'edgeType' && after.kind === 'edgeType') return edgeLines(before, after, own);
  if (before.kind === 'objectType' && after.kind === 'objectType') return objectLines(before, after);
  return [];
}

function edgeLines(
  before: DefinitionOf<'edgeType'>,
  after: DefinitionOf<'edgeType'>,
  own: readonly OperationCost[],
): readonly Line[] {
  const lines: Line[] = [];
  const [had, has] = [before.document.inverse !== undefined, after.document.inverse !== undefined];
  if (had !== has) {
    const factor = has ? MIRROR_FACTOR : 1 / MIRROR_FACTOR;
    const why = has ? 'each write also writes the inverse' : 'writes no longer write the inverse';
    for (const operation of ['edge.put', 'edge.delete'] as const) {
      const measured = own.find((cost) => cost.operation === operation);
      const wasRu = measured === undefined ? 20 : measured.ru / measured.requests;
      lines.push({ operation, wasRu, isRu: wasRu * factor, requests: measured?.requests ?? 0, why });
    }
  }
  const [short, long] = [before.document.listCap, after.document.listCap];
  if (short !== long) {
    const why = `a full page has ${countInWords(long)} edges instead of ${countInWords(short)}`;
    lines.push({ operation: 'edge.list', wasRu: pageRu(short), isRu: pageRu(long), requests: 0, why });
  }
  return lines;
}

function objectLines(before: DefinitionOf<'objectType'>, after: DefinitionOf<'objectType'>): readonly Line[] {
  const [was, is] = [before.document.maxBytes, after.document.maxBytes];
  if (was === is) return [];
  const why = `the largest object has ${countInWords(is)} bytes instead of ${countInWords(was)}`;
  return [{ operation: 'object.put', wasRu: putRu(was), isRu: putRu(is), requests: 0, why }];
}

/** The same figures by which the gateway reserves RU before the store has answered. */
const pageRu = (edges: number) => 3 + 0.03 * edges;
const putRu = (bytes: number) => 10 + 0.6 * (bytes / 1_024);

function lineFinding(type: Definition, line: Line, { costs, days }: CostEvidence): CheckFinding {
  const { operation, wasRu, isRu, requests, why } = line;
  const isMore = isRu > wasRu;
  const perDay = requests / Math.max(days, 1);
  const done = costs.find((cost) => cost.type === type.name && cost.operation === operation);
  return {
    code: isMore ? 'cost_raised' : 'cost_lowered',
    severity: isMore ? 'warning' : 'info',
    kind: type.kind,
    name: type.name,
    path: operation === 'edge.list' ? 'listCap' : operation === 'object.put' ? 'maxBytes' : 'inverse',
    message: `${operation} of ${type.name}: ${requests > 0 ? '' : isBound(operation) ? 'at most ' : 'about '}${ruInWords(wasRu)} → about ${ruInWords(isRu)}, since ${why}.`,
    example:
      requests === 0
        ? `Estimated${done === undefined ? ': no such request yet' : `; the ${countInWords(done.requests)} served lately cost ${ruInWords(done.ru / done.requests)} each`}.`
        : `${few(requests)}: ${ruInWords(perDay * wasRu)} a day → about ${ruInWords(perDay * isRu)} a day.`,
  };
}

/** A limit bounds what a page or a write can cost; the price of a small write is what it usually is. */
function isBound(operation: Operation): boolean {
  return operation === 'edge.list' || operation === 'object.put';
}

function saved(
  { kind, name }: Definition,
  own: readonly OperationCost[],
  { days }: CostEvidence,
): readonly CheckFinding[] {
  const ru = own.reduce((sum, cost) => sum + cost.ru, 0);
  if (ru === 0) return [];
  const message = `Requests for ${name} cost ${ruInWords(ru / Math.max(days, 1))} a day; refused ones cost none.`;
  return [{ code: 'cost_lowered', severity: 'info', kind, name, path: '', message }];
}

function estimate(type: Definition): CheckFinding {
  const says =
    type.kind === 'objectType'
      ? `object.get 1 RU, object.put 10 to ${ruInWords(putRu(type.document.maxBytes))}`
      : type.kind === 'edgeType'
        ? `edge.get 1 RU, edge.put about ${type.document.inverse === undefined ? 20 : 20 * MIRROR_FACTOR} RU, a full page up to ${ruInWords(pageRu(type.document.listCap))}`
        : 'nothing';
  return {
    code: 'cost_unknown',
    severity: 'info',
    kind: type.kind,
    name: type.name,
    path: '',
    message: `${type.name} is new; expected: ${says}.`,
    example: 'Estimated: no request yet.',
  };
}

function costWords(type: string, { costs, days }: CostEvidence): readonly string[] {
  const own = costs.filter((cost) => cost.type === type);
  if (own.length === 0) return [];
  const requests = own.reduce((sum, cost) => sum + cost.requests, 0);
  const ru = own.reduce((sum, cost) => sum + cost.ru, 0);
  const each = own.map((cost) => `${cost.operation} ${ruInWords(cost.ru / cost.requests)}`);
  return [
    `${type}: ${listInWords(each)}; ${ruInWords(ru / Math.max(days, 1))} a day (${few(requests).toLowerCase()}).`,
  ];
}

function few(requests: number): string {
  const counted = `${countInWords(requests)} ${requests === 1 ? 'request' : 'requests'}`;
  return requests < FEW ? `From only ${counted}` : `From ${counted} of the last ${EVIDENCE_DAYS} days`;
}

function ruInWords(ru: number): string {
  return `${ru >= 100 ? countInWords(Math.round(ru)) : Number(ru.toPrecision(2))} RU`;
}
