import { readFileSync } from 'node:fs';
import { Definition, type DefinitionOf } from '#gateway/contract/definitions/definition.ts';

/** What a client is made of: definitions, complete or not, of any kind. */
export interface ClientInput {
  readonly definitions: readonly { readonly kind: string; readonly name: string; readonly document: unknown }[];
  /** What stands in its first line, e.g. `r12 of https://…`. */
  readonly madeFrom: string;
}

export interface GeneratedClient {
  readonly text: string;
  readonly objectTypes: number;
  readonly edgeTypes: number;
  /** Types that are not complete, left out. */
  readonly leftOut: readonly string[];
}

/**
 * The text of a typed client module: a real module (client-template.ts) whose types are those of the registry. It imports
 * nothing. Equal definitions give equal text.
 */
export function generateClient({ definitions, madeFrom }: ClientInput): GeneratedClient {
  const { objectTypes, edgeTypes, leftOut } = typesOf(definitions);
  const text = template()
    .replace(/^\/\/ <made-from>$/m, () => headerOf(madeFrom))
    .replace(/^\/\/ <types>.*?^\/\/ <\/types>$/ms, () => typesText(objectTypes, edgeTypes));
  return { text, objectTypes: objectTypes.length, edgeTypes: edgeTypes.length, leftOut };
}

/** Whether two clients are of the same types, whatever release they were made from. */
export function isSameClient(a: string, b: string): boolean {
  const body = (text: string) => text.replaceAll('\r\n', '\n').split('\n').slice(HEADER_LINES).join('\n');
  return body(a) === body(b);
}

const HEADER_LINES = 2;

function headerOf(madeFrom: string): string {
  return `// The object and edge types of ${madeFrom.replaceAll(/\s+/g, ' ')}, and a client for them.\n// Made by \`npx habitat types\`. Do not edit it; make it anew.`;
}

function template(): string {
  return readFileSync(new URL('./client-template.ts', import.meta.url), 'utf8');
}

function typesOf(definitions: ClientInput['definitions']) {
  const objectTypes: DefinitionOf<'objectType'>[] = [];
  const edgeTypes: DefinitionOf<'edgeType'>[] = [];
  const leftOut: string[] = [];
  const types = definitions.filter(({ kind }) => kind === 'objectType' || kind === 'edgeType');
  for (const type of types) {
    const parsed = Definition.safeParse({ kind: type.kind, name: type.name, document: type.document });
    if (!parsed.success) leftOut.push(`${type.kind}/${type.name}`);
    else if (parsed.data.kind === 'objectType') objectTypes.push(parsed.data);
    else if (parsed.data.kind === 'edgeType') edgeTypes.push(parsed.data);
  }
  const known = new Set<string>(objectTypes.map(({ name }) => name));
  const whole = edgeTypes.filter(({ document }) => known.has(document.from) && known.has(document.to));
  for (const edge of edgeTypes) if (!whole.includes(edge)) leftOut.push(`edgeType/${edge.name}`);
  return { objectTypes: objectTypes.toSorted(byName), edgeTypes: whole.toSorted(byName), leftOut: leftOut.toSorted() };
}

function typesText(
  objectTypes: readonly DefinitionOf<'objectType'>[],
  edgeTypes: readonly DefinitionOf<'edgeType'>[],
): string {
  return [
    '/** The object types, by name. */',
    ...interfaceOf('ObjectTypes', objectTypes.map(objectLine)),
    '',
    '/** The edge types, by name, with the object types at their ends. */',
    ...interfaceOf('EdgeTypes', edgeTypes.map(edgeLine)),
    '',
    '/** Limits that the gateway enforces. */',
    'export const LIMITS = {',
    '  objects: {',
    ...objectTypes.map(({ name, document }) => `    ${name}: { maxBytes: ${document.maxBytes} },`),
    '  },',
    '  edges: {',
    ...edgeTypes.map(({ name, document }) => {
      const { listCap, maxEdges, dataMaxBytes } = document;
      return `    ${name}: { listCap: ${listCap}, maxEdges: ${maxEdges}, dataMaxBytes: ${dataMaxBytes} },`;
    }),
    '  },',
    '} as const;',
  ].join('\n');
}

function interfaceOf(name: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [`export type ${name} = Readonly<Record<never, never>>;`];
  return [`export interface ${name} {`, ...lines, '}'];
}

function objectLine({ name, document }: DefinitionOf<'objectType'>): string {
  const { description, classification } = document;
  return `  /** ${commentOf(description)} */\n  readonly ${name}: { readonly classification: '${classification}' };`;
}

function edgeLine({ name, document }: DefinitionOf<'edgeType'>): string {
  const { description, from, to, cardinality } = document;
  const ends = `readonly from: '${from}'; readonly to: '${to}'; readonly cardinality: '${cardinality}'`;
  return `  /** ${commentOf(description)} */\n  readonly ${name}: { ${ends} };`;
}

/** One line that cannot end the comment it stands in. */
function commentOf(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
