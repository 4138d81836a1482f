import { type Document, isMap, parseAllDocuments, stringify } from 'yaml';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { knownFields } from './known-fields.ts';

/** A definition as far as a file holds it. */
export interface Renderable {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly document: unknown;
}

/** Long lines stay long, texts of several lines stand as they are, nothing is shared: equal input gives equal bytes. */
const STYLE = { lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false, version: '1.2' } as const;

/** The whole text of a definition's file: a comment, then kind, name and document, fields in the order of their schema. */
export function renderYaml(definition: Renderable): string {
  return `${HEADER}\n${stringify(ordered(definition), STYLE)}`;
}

export function renderJson(definition: Renderable): string {
  return `${JSON.stringify(ordered(definition), null, 2)}\n`;
}

const HEADER = `# A definition of Habitat. \`npx habitat check\` and \`npx habitat apply\` bring it into the console.`;

/** A YAML file's text with another document under one of its names. What stays the same keeps its comments and its place. */
export function editYaml(text: string, definition: Renderable): string {
  const parsed = parseAllDocuments(text, { schema: 'core', stringKeys: true, logLevel: 'silent' });
  const documents = 'empty' in parsed ? [] : parsed;
  const found = documents.find((yaml) => yaml.get('kind') === definition.kind && yaml.get('name') === definition.name);
  if (found !== undefined) overlay(found, ['document'], ordered(definition).document);
  return documents.map((yaml, index) => separated(yaml.toString(STYLE), index)).join('');
}

/** The same of a JSON file, which has no comments. */
export function editJson(text: string, definition: Renderable): string {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) return renderJson(definition);
  const isIt = (item: unknown) => isPlainMap(item) && item.kind === definition.kind && item.name === definition.name;
  const items = value.map((item: unknown) => (isIt(item) ? ordered(definition) : item));
  return `${JSON.stringify(items, null, 2)}\n`;
}

function separated(text: string, index: number): string {
  return index > 0 && !text.startsWith('---') ? `---\n${text}` : text;
}

/** Lays a value over what stands at a path: maps field by field, all else as a whole. */
function overlay(yaml: Document.Parsed, path: readonly string[], value: unknown): void {
  const there = yaml.getIn(path, true);
  if (!isPlainMap(value) || !isMap(there)) {
    if (JSON.stringify(yaml.getIn(path)) !== JSON.stringify(value)) yaml.setIn(path, yaml.createNode(value));
    return;
  }
  for (const { key } of [...there.items]) {
    const field = String(key);
    if (!Object.hasOwn(value, field)) yaml.deleteIn([...path, field]);
  }
  for (const [field, inner] of Object.entries(value)) overlay(yaml, [...path, field], inner);
}

function ordered({ kind, name, document }: Renderable): Renderable {
  return { kind, name, document: inOrder(kind, [], document) };
}

/** Known fields first, as their schema names them; unknown ones after them by name. */
function inOrder(kind: DefinitionKind, path: readonly PropertyKey[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item, index) => inOrder(kind, [...path, index], item));
  if (!isPlainMap(value)) return value;
  const known = knownFields(kind, path);
  const rank = (field: string) => (known.includes(field) ? known.indexOf(field) : known.length);
  const fields = Object.keys(value).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(fields.map((field) => [field, inOrder(kind, [...path, field], value[field])]));
}

function isPlainMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
