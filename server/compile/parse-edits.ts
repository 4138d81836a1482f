import type { z } from 'zod';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import type { CheckFinding } from './finding.ts';
import type { DraftEdit } from './model.ts';

export interface ParsedEdits {
  readonly valid: readonly Definition[];
  readonly unfinished: readonly DraftEdit[];
  readonly removed: readonly DraftEdit[];
  readonly findings: readonly CheckFinding[];
}

/**
 * Parses every draft against its kind's schema. One finding per fault: `name_invalid`, `field_missing`,
 * `field_invalid`, `field_unknown`.
 */
export function parseEdits(edits: readonly DraftEdit[]): ParsedEdits {
  const valid: Definition[] = [];
  const unfinished: DraftEdit[] = [];
  const findings: CheckFinding[] = [];
  for (const edit of edits.filter(({ document }) => document !== null).map(blanksEmpty)) {
    const parsed = Definition.safeParse(edit);
    if (parsed.success) valid.push(parsed.data);
    else {
      unfinished.push(edit);
      findings.push(...parsed.error.issues.map((issue) => findingOf(edit, issue)));
    }
  }
  return { valid, unfinished, removed: edits.filter(({ document }) => document === null), findings };
}

/** A text of blanks alone says nothing: it is judged as one that was left empty. Releases that hold one stay readable. */
function blanksEmpty(edit: DraftEdit): DraftEdit {
  const { document } = edit;
  if (typeof document !== 'object' || document === null) return edit;
  const said = Object.entries(document).map(([key, value]) => [key, isBlank(value) ? '' : value]);
  return { ...edit, document: Object.fromEntries(said) };
}

/** Also of what looks like blanks: zero-width characters, a byte order mark. */
function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && /^[\s\p{Cf}\u2800\u3164]*$/u.test(value);
}

function findingOf(edit: DraftEdit, issue: z.core.$ZodIssue): CheckFinding {
  const { kind, name } = edit;
  if (issue.path[0] === 'name') {
    return { code: 'name_invalid', severity: 'error', kind, name, path: '', message: issue.message };
  }
  const path = issue.path.slice(1).map(String).join('.');
  const value = issue.path.length > 1 ? valueAt(edit, issue.path) : null;
  const said = value === undefined ? missing(path) : value === '' ? empty(issue, path) : wordsOf(issue, path);
  return { severity: 'error', kind, name, path, ...said };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function missing(path: string): Pick<CheckFinding, 'code' | 'message'> {
  return { code: 'field_missing', message: `${path} is missing.` };
}

/** What a field names, where it names something else. */
const NAMED: Readonly<Record<string, string>> = {
  from: 'the object type that it starts from',
  to: 'the object type that it leads to',
  tenant: 'the tenant',
  ownerTeam: 'the team',
};

/** A name that was not chosen yet breaks no rule of names. */
function empty(issue: z.core.$ZodIssue, path: string): Pick<CheckFinding, 'code' | 'message'> {
  const what = NAMED[path];
  return what === undefined ? wordsOf(issue, path) : { code: 'field_missing', message: `Choose ${what}.` };
}

/** Our own sentences stay; zod's defaults are said in ours. */
function wordsOf(issue: z.core.$ZodIssue, path: string): Pick<CheckFinding, 'code' | 'message'> {
  const label = path === '' ? 'The document' : path;
  if (issue.code === 'unrecognized_keys') {
    return { code: 'field_unknown', message: `${issue.keys.join(', ')}: no such field here.` };
  }
  return { code: 'field_invalid', message: isDefault(issue.message) ? defaultWords(issue, label) : issue.message };
}

function isDefault(message: string): boolean {
  return /^(Invalid |Too small|Too big|Unrecognized)/.test(message);
}

function defaultWords(issue: z.core.$ZodIssue, label: string): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${label} must be of type ${issue.expected}.`;
    case 'invalid_value':
      return `${label} is one of ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      return issue.origin === 'string' ? `${label} is empty.` : `${label} is at least ${issue.minimum}.`;
    case 'too_big':
      return `${label} is at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}.`;
    default:
      return `${label} is not valid.`;
  }
}
