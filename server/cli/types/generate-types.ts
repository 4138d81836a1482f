import { readContentSchema } from '#gateway/contract/content-schema.ts';
import { Definition, type DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { commentOf, typeTextOf } from './type-text.ts';

/** What a module is made of: definitions, complete or not, of any kind. */
export interface TypesInput {
  readonly definitions: readonly { readonly kind: string; readonly name: string; readonly document: unknown }[];
  /** What stands in its first line, e.g. `r12 of https://…`. */
  readonly madeFrom: string;
}

export interface GeneratedTypes {
  readonly text: string;
  readonly objectTypes: number;
  readonly edgeTypes: number;
  /** Types that are not complete, left out. */
  readonly leftOut: readonly string[];
}

/**
 * The text of a module that types the client library: the interface `Habitat` and its one value `habitat`, and the type of
 * each object's content that has a schema. It imports nothing. Equal definitions give equal text.
 */
export function generateTypes({ definitions, madeFrom }: TypesInput): GeneratedTypes {
  const { objectTypes, edgeTypes, leftOut } = typesOf(definitions);
  const text = `${[headerOf(madeFrom), ...interfaceText(objectTypes, edgeTypes), ...valueText(objectTypes, edgeTypes), ...contentTexts(objectTypes)].join('\n')}\n`;
  return { text, objectTypes: objectTypes.length, edgeTypes: edgeTypes.length, leftOut };
}

/** Whether two modules are of the same types, whatever release they were made from. */
export function isSameModule(a: string, b: string): boolean {
  const body = (text: string) => text.replaceAll('\r\n', '\n').split('\n').slice(HEADER_LINES).join('\n');
  return body(a) === body(b);
}

const HEADER_LINES = 2;

function headerOf(madeFrom: string): string {
  const from = madeFrom.replaceAll(/\s+/g, ' ');
  return `// The object and edge types of ${from}, for createClient of habitat-client.\n// Made by \`npx habitat types\`. Do not edit it; make it anew.\n`;
}

function typesOf(definitions: TypesInput['definitions']) {
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

type ObjectTypes = readonly DefinitionOf<'objectType'>[];
type EdgeTypes = readonly DefinitionOf<'edgeType'>[];

function interfaceText(objectTypes: ObjectTypes, edgeTypes: EdgeTypes): readonly string[] {
  return [
    'export interface Habitat {',
    '  readonly objects: {',
    ...objectTypes.flatMap(({ name, document }) => [
      `    /** ${commentOf(document.description)} */`,
      `    readonly ${name}: {`,
      `      readonly classification: '${document.classification}';`,
      '      /** Largest content, bytes. */',
      '      readonly maxBytes: number;',
      ...(schemaOf(document) === null ? [] : [`      readonly content?: ${name}Content;`]),
      '    };',
    ]),
    '  };',
    '  readonly edges: {',
    ...edgeTypes.flatMap(({ name, document }) => [
      `    /** ${commentOf(document.description)} */`,
      `    readonly ${name}: {`,
      `      readonly from: '${document.from}';`,
      `      readonly to: '${document.to}';`,
      `      readonly cardinality: '${document.cardinality}';`,
      '      readonly listCap: number;',
      '      readonly maxEdges: number;',
      '      readonly dataMaxBytes: number;',
      '    };',
    ]),
    '  };',
    '}',
    '',
  ];
}

function valueText(objectTypes: ObjectTypes, edgeTypes: EdgeTypes): readonly string[] {
  return [
    '/** What the client needs of them at run time, and the limits that the gateway enforces. */',
    'export const habitat: Habitat = {',
    '  objects: {',
    ...objectTypes.map(
      ({ name, document: { classification, maxBytes } }) =>
        `    ${name}: { classification: '${classification}', maxBytes: ${maxBytes} },`,
    ),
    '  },',
    '  edges: {',
    ...edgeTypes.flatMap(({ name, document: { from, to, cardinality, listCap, maxEdges, dataMaxBytes } }) => [
      `    ${name}: {`,
      ...[`from: '${from}'`, `to: '${to}'`, `cardinality: '${cardinality}'`].map((field) => `      ${field},`),
      ...Object.entries({ listCap, maxEdges, dataMaxBytes }).map(([limit, value]) => `      ${limit}: ${value},`),
      '    },',
    ]),
    '  },',
    '};',
  ];
}

function contentTexts(objectTypes: ObjectTypes): readonly string[] {
  return objectTypes.flatMap(({ name, document }) => {
    const schema = schemaOf(document);
    if (schema === null) return [];
    return ['', `/** The JSON of a ${name}. */`, `export type ${name}Content = ${typeTextOf(schema)};`];
  });
}

/** The schema that content is checked against; null when it is not. */
function schemaOf({ contentSchema }: DefinitionOf<'objectType'>['document']) {
  if (contentSchema === undefined || contentSchema.mode === 'off') return null;
  const read = readContentSchema(contentSchema.schema);
  return read.ok ? read.schema : null;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
