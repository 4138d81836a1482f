import type { Definition, DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import type { CheckFinding } from './finding.ts';

type Type = DefinitionOf<'objectType'> | DefinitionOf<'edgeType'>;

/**
 * What an edit does to how far a type is on its way out: `deprecated` when replies begin to say so, `requests_refused` when
 * requests begin to be refused, and `field_invalid` for a sunset before the day it was deprecated.
 */
export function checkLifecycle(before: Definition | null, after: Definition | null): readonly CheckFinding[] {
  if (after === null || !isType(after)) return [];
  const { lifecycle } = after.document;
  if (lifecycle === undefined) return [];
  const was = before !== null && isType(before) ? before.document.lifecycle?.state : undefined;
  const { since, sunset, state } = lifecycle;
  const findings: CheckFinding[] = [];
  if (sunset !== undefined && sunset < since) {
    findings.push({
      ...at(after, 'lifecycle.sunset'),
      code: 'field_invalid',
      severity: 'error',
      message: `${after.name} would go on ${sunset}, before it is deprecated on ${since}.`,
    });
  }
  if (state === 'deprecated-warn' && was === undefined) findings.push(deprecated(after));
  if (state === 'deprecated-error' && was !== 'deprecated-error') findings.push(refused(after, was === undefined));
  return findings;
}

/** Whether a definition is a type, the kinds that have a lifecycle. */
export function isType(definition: Definition): definition is Type {
  return definition.kind === 'objectType' || definition.kind === 'edgeType';
}

function deprecated(type: Type): CheckFinding {
  return {
    ...at(type, 'lifecycle.state'),
    code: 'deprecated',
    severity: 'info',
    message: `Every request for ${type.name} is served as before; each reply says that it is deprecated.`,
    example: `Habitat-Deprecated: ${type.name}; since=${type.document.lifecycle?.since ?? ''}`,
  };
}

function refused(type: Type, isSudden: boolean): CheckFinding {
  const sudden = isSudden ? ' Nobody was told before: deprecated-warn says it in every reply first.' : '';
  return {
    ...at(type, 'lifecycle.state'),
    code: 'requests_refused',
    severity: 'warning',
    message: `Every request for ${type.name} is refused as type_deprecated. What is stored stays.${sudden}`,
    example: 'The reply is 410 type_deprecated and names what to use instead.',
  };
}

function at({ kind, name }: Type, path: string): Pick<CheckFinding, 'kind' | 'name' | 'path'> {
  return { kind, name, path };
}
