import type { Definition, DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { canonicalJson } from '#gateway/contract/release.ts';
import type { Effect } from './model.ts';
import { bytesInWords, countInWords, timeInWords } from './words.ts';

/**
 * What one edit does to the definition itself, in sentences; access follows elsewhere. `before` null adds it, `after` null
 * removes it.
 */
export function describeEdit(before: Definition | null, after: Definition | null): readonly Effect[] {
  if (after === null) return before === null ? [] : [describeRemoval(before)];
  if (before === null) return [describeAddition(after)];
  if (before.kind === 'tenant' && after.kind === 'tenant') return describeTenant(before, after);
  const changed = changedFields(before.document, after.document);
  return changed.map(([path, was, is]): Effect => {
    const text =
      path === 'disabled'
        ? `${is === true ? 'Disables' : 'Enables'} ${after.name}.`
        : `${capital(path)} of ${after.name}: ${movedInWords(path, was, is)}`;
    return { kind: KINDS[after.kind], text, tone: toneOf(path, was, is) };
  });
}

/** The line that stands for a definition in lists: ends, sizes, quotas, tenant. */
export function summarise(definition: Definition): string {
  switch (definition.kind) {
    case 'objectType': {
      const { classification, maxBytes } = definition.document;
      return `${classification}, at most ${bytesInWords(maxBytes)}`;
    }
    case 'edgeType': {
      const { from, to, cardinality, inverse } = definition.document;
      return `${from} → ${to}, ${cardinality}${inverse === undefined ? '' : `, inverse ${inverse}`}`;
    }
    case 'policy':
      return definition.document.cedar.trimStart().startsWith('forbid') ? 'forbids' : 'permits';
    case 'tenant':
      return quotaInWords(definition);
    case 'principal': {
      const { actorKind, tenant, disabled } = definition.document;
      const kind = actorKind === 'agent' ? 'agent' : `${actorKind} principal`;
      return `${kind} of ${tenant}${disabled ? ', disabled' : ''}`;
    }
  }
}

/** Every leaf that differs: JSON path, old value, new value. Arrays count as one value; the order of keys does not count. */
export function changedFields(
  before: unknown,
  after: unknown,
  path = '',
): readonly (readonly [path: string, was: unknown, is: unknown])[] {
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => changedFields(before[key], after[key], path === '' ? key : `${path}.${key}`));
  }
  return canonicalJson(before) === canonicalJson(after) ? [] : [[path, before, after]];
}

const KINDS = { objectType: 'types', edgeType: 'types', policy: 'access', tenant: 'quota', principal: 'keys' } as const;
const KIND_WORDS = {
  objectType: 'object type',
  edgeType: 'edge type',
  policy: 'policy',
  tenant: 'tenant',
  principal: 'principal',
} as const;

function describeAddition(definition: Definition): Effect {
  const about = `${KIND_WORDS[definition.kind]} ${definition.name}`;
  const text = `Adds ${about} of team ${definition.document.ownerTeam}: ${summarise(definition)}.`;
  // A definition alone lets nobody do anything; what policy then permits is said in its own sentence.
  return { kind: KINDS[definition.kind], text, tone: 'neutral' };
}

function describeRemoval(definition: Definition): Effect {
  const text = `Removes ${KIND_WORDS[definition.kind]} ${definition.name}.`;
  return { kind: KINDS[definition.kind], text, tone: definition.kind === 'policy' ? 'neutral' : 'narrows' };
}

const QUOTA_WORDS = {
  readsPerSecond: 'reads a second',
  writesPerSecond: 'writes a second',
  ruPerSecond: 'RU a second',
  inFlight: 'requests in flight',
} as const;

function describeTenant(before: DefinitionOf<'tenant'>, after: DefinitionOf<'tenant'>): readonly Effect[] {
  return changedFields(before.document, after.document).map(([path, was, is]): Effect => {
    const field = path.replace(/^quotas\./, '');
    const words = Object.entries(QUOTA_WORDS).find(([name]) => name === field)?.[1];
    if (words === undefined || typeof was !== 'number' || typeof is !== 'number') {
      const text = `${capital(path)} of ${after.name}: ${movedInWords(path, was, is)}`;
      return { kind: 'quota', text, tone: path === 'mode' ? (is === 'enforce' ? 'narrows' : 'widens') : 'neutral' };
    }
    const verb = is > was ? 'Raises' : 'Lowers';
    return {
      kind: 'quota',
      text: `${verb} ${words} of ${after.name} from ${countInWords(was)} to ${countInWords(is)}.`,
      tone: is > was ? 'widens' : 'narrows',
    };
  });
}

function quotaInWords({ document: { quotas, mode } }: DefinitionOf<'tenant'>): string {
  const figures = [
    `${countInWords(quotas.readsPerSecond)} reads/s`,
    `${countInWords(quotas.writesPerSecond)} writes/s`,
    `${countInWords(quotas.ruPerSecond)} RU/s`,
    `${countInWords(quotas.inFlight)} in flight`,
  ];
  return `${figures.join(', ')}${mode === 'shadow' ? ', counted only' : ''}`;
}

const GROWING = ['maxBytes', 'listCap', 'maxEdges', 'dataMaxBytes'];

function toneOf(path: string, was: unknown, is: unknown): Effect['tone'] {
  if (path === 'disabled') return is === true ? 'narrows' : 'widens';
  if (!GROWING.includes(path) || typeof was !== 'number' || typeof is !== 'number') return 'neutral';
  return is > was ? 'widens' : 'narrows';
}

/** From one value to the other, as the end of a sentence; a value may be a sentence itself. */
function movedInWords(path: string, was: unknown, is: unknown): string {
  const words = `${valueInWords(path, was)} → ${valueInWords(path, is)}`;
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

function valueInWords(path: string, value: unknown): string {
  if (path === 'lifecycle') return lifecycleInWords(value);
  if (path === 'contentSchema') return isRecord(value) ? `${String(value.mode)}` : 'anything';
  if (path === 'cache') return isRecord(value) ? `reads up to ${timeInWords(Number(value.ttlMs))} old` : 'off';
  if (path === 'cache.ttlMs') return `reads up to ${timeInWords(Number(value))} old`;
  if (value === undefined) return 'none';
  if (path === 'tests' && Array.isArray(value)) return `${value.length}`;
  if (typeof value === 'number') return /bytes$/i.test(path) ? bytesInWords(value) : countInWords(value);
  if (typeof value === 'string') return value.includes('\n') ? 'another text' : value;
  return JSON.stringify(value);
}

function lifecycleInWords(value: unknown): string {
  if (!isRecord(value)) return 'active';
  const sunset = typeof value.sunset === 'string' ? `, to go on ${value.sunset}` : '';
  return `${String(value.state)} since ${String(value.since)}${sunset}`;
}

/** A path is code and keeps its case; only a plain word starts a sentence with a capital. */
function capital(path: string): string {
  return /^[a-z]+$/.test(path) ? `${path.charAt(0).toUpperCase()}${path.slice(1)}` : path;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
