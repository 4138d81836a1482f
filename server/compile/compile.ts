import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { canonicalJson } from '#gateway/contract/release.ts';
import { accessEffects } from './access-effects.ts';
import { buildSections } from './build-sections.ts';
import { checkCompatibility, checkQuotas } from './check-compatibility.ts';
import { checkContentSchema } from './check-content-schema.ts';
import { checkLifecycle } from './check-lifecycle.ts';
import { checkOwner } from './check-owners.ts';
import { checkPolicies } from './check-policies.ts';
import { checkPolicyTests, runPolicyTests } from './check-policy-tests.ts';
import { checkReferences } from './check-references.ts';
import { checkRestored } from './check-restored.ts';
import { createDecider } from './decide.ts';
import { describeEdit } from './describe-edits.ts';
import type { CheckFinding } from './finding.ts';
import {
  type Catalog,
  type CheckInput,
  type CheckResult,
  type CompileInput,
  type CompileResult,
  catalogOf,
  type DraftEdit,
  type Effect,
  keyOf,
  type State,
} from './model.ts';
import { type ParsedEdits, parseEdits } from './parse-edits.ts';

/**
 * Definitions with edits laid over them → the content of a release, or what is wrong. All findings at once. Pure: no
 * clock, no I/O; equal input gives equal output, byte for byte. Never throws on a draft, however broken.
 */
export function compile(input: CompileInput): CompileResult {
  const { findings, effects, definitions, after } = check(input);
  const isBlocked = findings.some(({ severity }) => severity === 'error');
  return {
    findings,
    effects,
    definitions,
    sections: isBlocked ? null : buildSections(after.catalog, input.keys, createDecider('after', after.policies)),
  };
}

/** The same without the content of a release: what a draft is told while it is typed. */
export function check(input: CheckInput): CheckResult {
  const parsed = parseEdits(input.edits);
  const definitions = applyEdits(input.published, parsed);
  const catalog = catalogOf(definitions, parsed.unfinished);
  const editedNames = new Set(input.edits.map(({ name }) => name));
  const checked = checkPolicies(catalog, editedNames);
  const before = stateOf(input.published);
  const after = { catalog, policies: checked.policies };
  const tests = runPolicyTests(after);
  const findings: readonly CheckFinding[] = [
    ...parsed.findings,
    ...checkReferences(catalog, input.teams),
    ...checked.findings,
    ...checkPolicyTests(tests),
    ...checkQuotas(catalog, editedNames),
    ...comparisons(input, { parsed, published: before.catalog }),
  ];
  return {
    findings: findings.toSorted(bySeverity),
    effects: effectsOf(input.edits, { parsed, before, after }),
    definitions,
    tests,
    before,
    after,
  };
}

/** What is published is looked at by every check until the next release; it is read once. */
const states = new WeakMap<readonly Definition[], State>();

function stateOf(published: readonly Definition[]): State {
  const known = states.get(published);
  if (known !== undefined) return known;
  const catalog = catalogOf(published);
  const state = { catalog, policies: checkPolicies(catalog, new Set()).policies };
  states.set(published, state);
  return state;
}

function applyEdits(published: readonly Definition[], { valid, unfinished, removed }: ParsedEdits): Definition[] {
  const touched = new Set([...valid, ...unfinished, ...removed].map(keyOf));
  return [...published.filter((definition) => !touched.has(keyOf(definition))), ...valid];
}

function comparisons(
  input: CheckInput,
  { parsed, published }: { readonly parsed: ParsedEdits; readonly published: Catalog },
): readonly CheckFinding[] {
  const { valid, removed } = parsed;
  const gone = removed.filter((edit) => !published.names.has(keyOf(edit))).map(nothingToRemove);
  return [
    ...gone,
    ...valid.flatMap((definition) => compare(publishedAt(published, definition), definition)),
    ...removed.flatMap((edit) => compare(publishedAt(published, edit), null)),
    ...checkRestored(input.removed ?? [], valid),
  ];
}

function compare(before: Definition | null, after: Definition | null): readonly CheckFinding[] {
  if (before !== null && after !== null && canonicalJson(before.document) === canonicalJson(after.document)) {
    return [nothingChanged(before)];
  }
  return [
    ...(before === null ? [] : checkCompatibility(before, after)),
    ...checkLifecycle(before, after),
    ...checkContentSchema(before, after),
    ...checkOwner(before, after),
  ];
}

function publishedAt(catalog: Catalog, { kind, name }: Pick<DraftEdit, 'kind' | 'name'>): Definition | null {
  return catalog[kind].get(name) ?? null;
}

function nothingChanged({ kind, name }: Definition): CheckFinding {
  const message = `${name} is as it is published; this edit changes nothing.`;
  return { code: 'nothing_changed', severity: 'info', kind, name, path: '', message };
}

function nothingToRemove({ kind, name }: DraftEdit): CheckFinding {
  const message = `${name} is not published, so there is nothing to remove. Take the edit out of the change.`;
  return { code: 'nothing_to_remove', severity: 'error', kind, name, path: '', message };
}

function effectsOf(
  edits: readonly DraftEdit[],
  { parsed, before, after }: { readonly parsed: ParsedEdits; readonly before: State; readonly after: State },
): readonly Effect[] {
  const valid = new Map(parsed.valid.map((definition) => [keyOf(definition), definition]));
  const unfinished = new Set(parsed.unfinished.map(keyOf));
  const own = edits
    .filter((edit) => !unfinished.has(keyOf(edit)))
    .flatMap((edit) => describeEdit(publishedAt(before.catalog, edit), valid.get(keyOf(edit)) ?? null));
  // The deciders are used one after the other, each synchronously after it was made.
  const oldState = { catalog: before.catalog, decider: createDecider('before', before.policies) };
  const newState = { catalog: after.catalog, decider: createDecider('after', after.policies) };
  return [...own, ...accessEffects(oldState, newState, typesInQuestion(edits, after.catalog))];
}

/** The edited types, removed ones too; all types when an edit can change access to any of them. */
function typesInQuestion(edits: readonly DraftEdit[], catalog: Catalog): ReadonlySet<string> {
  const isBroad = edits.some(({ kind }) => kind === 'policy' || kind === 'principal' || kind === 'tenant');
  const edited = new Set(
    edits.filter(({ kind }) => kind === 'objectType' || kind === 'edgeType').map(({ name }) => name),
  );
  if (isBroad) return new Set([...catalog.objectType.keys(), ...catalog.edgeType.keys(), ...edited]);
  // An edge type has the classification of the object type it starts from.
  for (const { name, document } of catalog.edgeType.values()) if (edited.has(document.from)) edited.add(name);
  return edited;
}

const SEVERITIES = ['error', 'warning', 'info'] as const;

function bySeverity(a: CheckFinding, b: CheckFinding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}
