import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { CEDAR_SCHEMA } from '#gateway/contract/policy-model.ts';
import type { CheckFinding } from './finding.ts';

/** A policy that parses: what compile needs to know of it beside its text. */
export interface ReadPolicy {
  readonly name: string;
  readonly cedar: string;
  readonly effect: 'permit' | 'forbid';
  /** A permit reaches agents only when its principal scope names them. Forbids reach everybody. */
  readonly reachesAgents: boolean;
  readonly readsContext: boolean;
  /** Applies to every principal, action and resource without a condition. */
  readonly isUnconditional: boolean;
  readonly json: cedar.PolicyJson;
  /** Entities it names, e.g. `ObjectType::"Message"`. */
  readonly names: readonly { readonly type: string; readonly id: string }[];
  /** Strings it names, entity ids included. */
  readonly literals: readonly string[];
}

export type PolicyReading =
  | { readonly policy: ReadPolicy; readonly findings: readonly CheckFinding[] }
  | { readonly policy: null; readonly findings: readonly CheckFinding[] };

/**
 * Reads one policy: syntax (`cedar_syntax`), exactly one policy and no template (`cedar_not_one_policy`), strict
 * validation against the schema of policy-model.ts (`cedar_invalid`), and Cedar's own warnings (`policy_never_applies`,
 * `cedar_warning`).
 */
export function readPolicy(definition: DefinitionOf<'policy'>): PolicyReading {
  const key = `${definition.name}\u0000${definition.document.cedar}`;
  const known = readings.get(key);
  if (known !== undefined) return known;
  const reading = readAnew(definition);
  // A Map iterates in order of insertion: the oldest makes room.
  for (const oldest of readings.keys()) {
    if (readings.size < MAX_READINGS) break;
    readings.delete(oldest);
  }
  readings.set(key, reading);
  return reading;
}

/**
 * Reading depends on name and text alone and takes some milliseconds, while every check reads every policy twice; so the
 * last readings are kept.
 */
const readings = new Map<string, PolicyReading>();
const MAX_READINGS = 2_000;

function readAnew(definition: DefinitionOf<'policy'>): PolicyReading {
  const text = definition.document.cedar;
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === 'failure') return refused(definition, parts.errors, 'cedar_syntax');
  if (parts.policies.length !== 1 || parts.policy_templates.length !== 0) {
    return { policy: null, findings: [finding(definition, 'cedar_not_one_policy', notOne(parts))] };
  }
  const json = cedar.policyToJson(text);
  if (json.type === 'failure') return refused(definition, json.errors, 'cedar_syntax');
  const checked = cedar.validate({
    validationSettings: { mode: 'strict' },
    schema: CEDAR_SCHEMA,
    policies: { staticPolicies: { [definition.name]: text } },
  });
  if (checked.type === 'failure') return refused(definition, checked.errors, 'cedar_invalid');
  const errors = checked.validationErrors.map(({ error }) => error);
  if (errors.length > 0) return refused(definition, errors, 'cedar_invalid');
  const warnings = inOrder(checked.validationWarnings.map(({ error }) => error)).map((error) =>
    warningOf(definition, error),
  );
  return { policy: describe(definition, json.json), findings: warnings };
}

function describe({ name, document }: DefinitionOf<'policy'>, json: cedar.PolicyJson): ReadPolicy {
  const names = entitiesIn(json);
  return {
    name,
    cedar: document.cedar,
    effect: json.effect,
    reachesAgents: json.effect === 'forbid' || scopeNamesAgents(json.principal),
    readsContext: mentions(json.conditions, (value) => isRecord(value) && value.Var === 'context'),
    isUnconditional:
      json.principal.op === 'All' &&
      json.action.op === 'All' &&
      json.resource.op === 'All' &&
      json.conditions.length === 0,
    json,
    names,
    literals: [...new Set([...names.map(({ id }) => id), ...stringsIn(json.conditions)])],
  };
}

function scopeNamesAgents(principal: cedar.PrincipalConstraint): boolean {
  if (principal.op === 'is') return principal.entity_type === 'Agent';
  return principal.op === '==' && 'entity' in principal && uidOf(principal.entity)?.type === 'Agent';
}

function entitiesIn(value: unknown): { type: string; id: string }[] {
  const found: { type: string; id: string }[] = [];
  visit(value, (one) => {
    const uid = uidOf(one);
    if (uid !== null && uid.type !== 'Action') found.push(uid);
  });
  return found;
}

function stringsIn(value: unknown): string[] {
  const found: string[] = [];
  visit(value, (one) => {
    if (typeof one === 'string') found.push(one);
  });
  return found;
}

function uidOf(value: unknown): { type: string; id: string } | null {
  if (!isRecord(value) || typeof value.type !== 'string' || typeof value.id !== 'string') return null;
  return { type: value.type, id: value.id };
}

function mentions(value: unknown, test: (value: unknown) => boolean): boolean {
  let found = false;
  visit(value, (one) => {
    found ||= test(one);
  });
  return found;
}

function visit(value: unknown, see: (value: unknown) => void): void {
  see(value);
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  else if (isRecord(value)) for (const item of Object.values(value)) visit(item, see);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(
  definition: DefinitionOf<'policy'>,
  errors: readonly cedar.DetailedError[],
  code: 'cedar_syntax' | 'cedar_invalid',
): PolicyReading {
  return { policy: null, findings: inOrder(errors).map((error) => finding(definition, code, error)) };
}

/** Cedar names faults in an order that differs from run to run; ours is by place, then by words. */
function inOrder(errors: readonly cedar.DetailedError[]): readonly cedar.DetailedError[] {
  const startOf = (error: cedar.DetailedError) => error.sourceLocations?.[0]?.start ?? 0;
  return errors.toSorted((a, b) => startOf(a) - startOf(b) || (a.message < b.message ? -1 : 1));
}

function warningOf(definition: DefinitionOf<'policy'>, error: cedar.DetailedError): CheckFinding {
  const isImpossible = error.message.includes('impossible');
  const code = isImpossible ? 'policy_never_applies' : 'cedar_warning';
  return { ...finding(definition, code, error), severity: 'warning' };
}

function notOne(parts: { readonly policies: readonly string[]; readonly policy_templates: readonly string[] }) {
  const count = parts.policies.length + parts.policy_templates.length;
  const message =
    parts.policy_templates.length > 0
      ? 'A template with ?principal or ?resource is not a policy. Name them.'
      : `This text holds ${count} policies. Write one policy here, and a definition for each other.`;
  return { message, help: null };
}

function finding(
  { name, document }: DefinitionOf<'policy'>,
  code: CheckFinding['code'],
  error: Pick<cedar.DetailedError, 'message' | 'help' | 'sourceLocations'>,
): CheckFinding {
  const start = error.sourceLocations?.[0]?.start;
  const line = start === undefined ? undefined : lineOf(document.cedar, start);
  const place = line === undefined ? '' : `Line ${line}: `;
  const said = error.message.replace(`for policy \`${name}\`, `, '');
  return {
    code,
    severity: 'error',
    kind: 'policy',
    name,
    path: 'cedar',
    message: `${place}${said}`,
    ...(line === undefined ? {} : { line }),
    ...(error.help === null || error.help === '' ? {} : { example: error.help }),
  };
}

/** Cedar counts offsets in bytes of UTF-8. */
function lineOf(text: string, byteOffset: number): number {
  const before = new TextDecoder().decode(new TextEncoder().encode(text).slice(0, byteOffset));
  return before.split('\n').length;
}
