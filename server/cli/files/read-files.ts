import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DEFINITION_KINDS, Definition, DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { didYouMean } from '#server/cli/nearest.ts';
import { type FoundFile, findFiles } from './find-files.ts';
import { knownFields } from './known-fields.ts';
import { type ParsedDocument, type Place, parseJson, parseYaml } from './parse-text.ts';
import type { Problem } from './problem.ts';

/** A definition as a file says it. */
export interface FileDefinition {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** As its schema reads it when it is complete, else as it stands. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly file: FoundFile;
  /** How many definitions its file has. */
  readonly ofFile: number;
  /** Where a part of the document stands. */
  readonly placeOf: (path: readonly PropertyKey[]) => Place;
}

/** All definitions of a folder, and everything that is wrong with its files. */
export interface FileSet {
  readonly definitions: readonly FileDefinition[];
  readonly problems: readonly Problem[];
}

/** Largest file, bytes. */
const MAX_FILE_BYTES = 4_000_000;

/** Reads every definition of a folder. Reports each fault with its place, and never stops at the first. */
export function readFiles(folder: string, cwd: string): FileSet {
  const { files, problems } = findFiles(folder, cwd);
  const all: Problem[] = [...problems];
  const definitions = files.flatMap((file) => {
    const read = readFile(file);
    all.push(...read.problems);
    return read.definitions;
  });
  return { definitions, problems: [...all, ...duplicatesIn(definitions)] };
}

function readFile(file: FoundFile): FileSet {
  const bytes = readFileSync(file.path);
  if (bytes.length > MAX_FILE_BYTES) return failed(file, 'file_too_large', 'It is larger than 4 MB. Split it.');
  let text: string;
  try {
    // Drops a byte order mark, and refuses what is no UTF-8.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return failed(file, 'file_unreadable', 'It is not UTF-8. Save it so.');
  }
  const isJson = file.name.toLowerCase().endsWith('.json');
  const parsed = isJson ? parseJson(text) : parseYaml(text);
  if ('faults' in parsed) {
    const code = isJson ? 'json_invalid' : 'yaml_invalid';
    return { definitions: [], problems: parsed.faults.map((fault) => problemAt(file, code, fault, fault.message)) };
  }
  const read = parsed.documents.map((document) => readDocument(file, document, parsed.documents.length));
  return {
    definitions: read.flatMap(({ definitions }) => definitions),
    problems: read.flatMap(({ problems }) => problems),
  };
}

const Whole = z.strictObject({
  kind: DefinitionKind,
  name: z.string().min(1).max(64),
  document: z.record(z.string(), z.unknown()),
});

function readDocument(file: FoundFile, parsed: ParsedDocument, ofFile: number): FileSet {
  const whole = Whole.safeParse(parsed.value);
  if (!whole.success) {
    const problems = whole.error.issues.flatMap((issue) => wholeProblems(file, parsed, issue));
    return { definitions: [], problems };
  }
  const { kind, name, document } = whole.data;
  const complete = Definition.safeParse(whole.data);
  const definition: FileDefinition = {
    kind,
    name,
    document: complete.success ? { ...complete.data.document } : document,
    file,
    ofFile,
    placeOf: (path) => parsed.placeOf(['document', ...path]),
  };
  const issues = complete.success ? [] : complete.error.issues;
  return { definitions: [definition], problems: issues.flatMap((issue) => unknownFields(definition, issue)) };
}

/** What is wrong around the document: the kind, the name, or fields beside them. */
function wholeProblems(file: FoundFile, parsed: ParsedDocument, issue: z.core.$ZodIssue): readonly Problem[] {
  const place = parsed.placeOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const hint = didYouMean(key, Object.keys(Whole.shape));
      return problemAt(
        file,
        'field_unknown',
        parsed.placeOf([key]),
        `${key}: no such field beside kind, name and document.${hint}`,
      );
    });
  }
  const [field] = issue.path;
  const value = field === undefined ? undefined : Object(parsed.value)[field];
  if (field === undefined) {
    return [problemAt(file, 'not_a_definition', place, 'This is no definition: it needs kind, name and document.')];
  }
  if (value === undefined) {
    return [
      problemAt(
        file,
        'not_a_definition',
        place,
        `${String(field)} is missing: a definition has kind, name and document.`,
      ),
    ];
  }
  if (field === 'kind') {
    const hint = didYouMean(String(value), DEFINITION_KINDS);
    return [
      problemAt(
        file,
        'kind_unknown',
        place,
        `${String(value)} is no kind; kinds are ${DEFINITION_KINDS.join(', ')}.${hint}`,
      ),
    ];
  }
  const what = field === 'name' ? 'name is a text of 1 to 64 characters.' : 'document is a map of fields.';
  return [problemAt(file, 'not_a_definition', place, what)];
}

/** Fields of the document that its kind does not have, each with the one that was meant. */
function unknownFields(definition: FileDefinition, issue: z.core.$ZodIssue): readonly Problem[] {
  if (issue.code !== 'unrecognized_keys' || issue.path[0] !== 'document') return [];
  const path = issue.path.slice(1);
  const known = knownFields(definition.kind, path);
  return issue.keys.map((key) => ({
    ...problemAt(
      definition.file,
      'field_unknown',
      definition.placeOf([...path, key]),
      `${[...path, key].map(String).join('.')}: ${definition.kind} has no such field.${didYouMean(key, known)}`,
    ),
    definition: `${definition.kind}/${definition.name}`,
  }));
}

function duplicatesIn(definitions: readonly FileDefinition[]): Problem[] {
  const first = new Map<string, FileDefinition>();
  return definitions.flatMap((definition) => {
    const key = `${definition.kind}/${definition.name}`;
    const known = first.get(key);
    if (known === undefined) {
      first.set(key, definition);
      return [];
    }
    const { line } = known.placeOf([]);
    const message = `${key} is defined in ${known.file.name}:${line} as well. Keep one of the two.`;
    return [
      { ...problemAt(definition.file, 'duplicate_definition', definition.placeOf([]), message), definition: key },
    ];
  });
}

function problemAt(file: FoundFile, code: string, { line, column }: Place, message: string): Problem {
  return { code, severity: 'error', file: file.name, line, column, definition: null, message };
}

function failed(file: FoundFile, code: string, message: string): FileSet {
  const problem = {
    code,
    severity: 'error',
    file: file.name,
    line: null,
    column: null,
    definition: null,
    message,
  } as const;
  return { definitions: [], problems: [problem] };
}
