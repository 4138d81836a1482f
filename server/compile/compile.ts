import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { canonicalJson } from '#gateway/contract/release.ts';
import type { Finding } from '#server/contract/changes.ts';
import { accessEffects } from './access-effects.ts';
import { buildSections } from './build-sections.ts';
import { checkCompatibility, checkQuotas } from './check-compatibility.ts';
import { checkPolicies } from './check-policies.ts';
import { checkReferences } from './check-references.ts';
import { createDecider } from './decide.ts';
import { describeEdit } from './describe-edits.ts';
import {
  type Catalog,
  type CompileInput,
  type CompileResult,
  catalogOf,
  type DraftEdit,
  type Effect,
  keyOf,
} from './model.ts';
import { type ParsedEdits, parseEdits } from './parse-edits.ts';
import type { ReadPolicy } from './read-policy.ts';

/**
 * Definitions with edits laid over them → the content of a release, or what is wrong. All findings at once. Pure: no
 * clock, no I/O; equal input gives equal output, byte for byte. Never throws on a draft, however broken.
 */
export function compile(input: CompileInput): CompileResult {
  const parsed = parseEdits(input.edits);
  const definitions = applyEdits(input.published, parsed);
  const catalog = catalogOf(definitions, parsed.unfinished);
  const editedNames = new Set(input.edits.map(({ name }) => name));
  const checked = checkPolicies(catalog, editedNames);
  const findings = [
    ...parsed.findings,
    ...checkReferences(catalog, input.teams),
    ...checked.findings,
    ...checkQuotas(catalog, editedNames),
    ...compatibilityOf(input, parsed),
  ];
  const isBlocked = findings.some(({ severity }) => severity === 'error');
  const effects = effectsOf(input, { parsed, catalog, policies: checked.policies });
  return {
    findings: findings.toSorted(bySeverity),
    effects,
    definitions,
    sections: isBlocked ? null : buildSections(catalog, input.keys, createDecider('after', checked.policies)),
  };
}

function applyEdits(published: readonly Definition[], { valid, unfinished, removed }: ParsedEdits): Definition[] {
  const touched = new Set([...valid, ...unfinished, ...removed].map(keyOf));
  return [...published.filter((definition) => !touched.has(keyOf(definition))), ...valid];
}

function compatibilityOf({ published }: CompileInput, { valid, removed }: ParsedEdits): readonly Finding[] {
  const before = new Map(published.map((definition) => [keyOf(definition), definition]));
  const pairs: (readonly [string, Definition | null])[] = [
    ...valid.map((definition): [string, Definition] => [keyOf(definition), definition]),
    ...removed.map((edit): [string, null] => [keyOf(edit), null]),
  ];
  const missing = removed.filter((edit) => !before.has(keyOf(edit))).map(nothingToRemove);
  return [
    ...missing,
    ...pairs.flatMap(([key, after]) => {
      const old = before.get(key);
      if (old === undefined) return [];
      const isSame = after !== null && canonicalJson(old.document) === canonicalJson(after.document);
      return isSame ? [nothingChanged(old)] : checkCompatibility(old, after);
    }),
  ];
}

function nothingChanged({ kind, name }: Definition): Finding {
  const message = `${name} is as it is published; this edit changes nothing.`;
  return { code: 'nothing_changed', severity: 'info', kind, name, path: '', message };
}

function nothingToRemove({ kind, name }: DraftEdit): Finding {
  const message = `${name} is not published, so there is nothing to remove. Take the edit out of the change.`;
  return { code: 'nothing_to_remove', severity: 'error', kind, name, path: '', message };
}

function effectsOf(
  { published, edits }: CompileInput,
  now: { readonly parsed: ParsedEdits; readonly catalog: Catalog; readonly policies: readonly ReadPolicy[] },
): readonly Effect[] {
  const before = new Map(published.map((definition) => [keyOf(definition), definition]));
  const after = new Map(now.parsed.valid.map((definition) => [keyOf(definition), definition]));
  const unfinished = new Set(now.parsed.unfinished.map(keyOf));
  const own = edits
    .filter((edit) => !unfinished.has(keyOf(edit)))
    .flatMap((edit) => describeEdit(before.get(keyOf(edit)) ?? null, after.get(keyOf(edit)) ?? null));
  const old = catalogOf(published);
  // The deciders are used one after the other, each synchronously after it was made.
  const oldState = { catalog: old, decider: createDecider('before', checkPolicies(old, new Set()).policies) };
  const newState = { catalog: now.catalog, decider: createDecider('after', now.policies) };
  return [...own, ...accessEffects(oldState, newState, typesInQuestion(edits, now.catalog))];
}

/** The edited types; all types when an edit can change access to any of them. */
function typesInQuestion(edits: readonly DraftEdit[], catalog: Catalog): ReadonlySet<string> {
  const isBroad = edits.some(({ kind }) => kind === 'policy' || kind === 'principal' || kind === 'tenant');
  if (isBroad) return new Set([...catalog.objectType.keys(), ...catalog.edgeType.keys()]);
  const edited = new Set(edits.map(({ name }) => name));
  // An edge type has the classification of the object type it starts from.
  for (const { name, document } of catalog.edgeType.values()) if (edited.has(document.from)) edited.add(name);
  return edited;
}

const SEVERITIES = ['error', 'warning', 'info'] as const;

function bySeverity(a: Finding, b: Finding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}
