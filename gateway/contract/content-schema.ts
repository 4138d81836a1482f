import { z } from 'zod';

/** Longest text of a content schema, and how much it may ask of a gateway. */
export const MAX_CONTENT_SCHEMA_CHARS = 32_768;
export const MAX_CONTENT_SCHEMA_NODES = 500;
export const MAX_CONTENT_SCHEMA_DEPTH = 16;
/** Content is checked up to this size, bytes: it is parsed on the thread that serves. */
export const MAX_CHECKED_BYTES = 262_144;
/** Longest text that a pattern is tried on, and how often a pattern may repeat something: its cost is then bounded. */
const MAX_PATTERN_TEXT = 256;
const MAX_PATTERN_REPEATS = 2;

export const CONTENT_SCHEMA_MODES = ['off', 'warn', 'enforce'] as const;
const JSON_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
export type JsonType = (typeof JSON_TYPES)[number];
export const TEXT_FORMATS = ['date-time', 'date', 'uuid'] as const;

type Scalar = string | number | boolean | null;

/**
 * The part of JSON Schema 2020-12 that a content schema may use. Each keyword means what it means there, and applies to
 * values of its type only. There are no references, so a schema is a tree and its cost is what one sees.
 */
export interface ContentSchemaNode {
  readonly $schema?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: JsonType | readonly JsonType[] | undefined;
  readonly enum?: readonly Scalar[] | undefined;
  readonly const?: Scalar | undefined;
  readonly anyOf?: readonly ContentSchemaNode[] | undefined;
  readonly properties?: Readonly<Record<string, ContentSchemaNode>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | ContentSchemaNode | undefined;
  readonly items?: ContentSchemaNode | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly format?: (typeof TEXT_FORMATS)[number] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
}

const count = z.int().min(0).optional();
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const jsonType = z.enum(JSON_TYPES);

const Node: z.ZodType<ContentSchemaNode> = z
  .strictObject({
    $schema: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    type: z.union([jsonType, z.array(jsonType).min(1)]).optional(),
    enum: z.array(scalar).min(1).max(200).optional(),
    const: scalar.optional(),
    anyOf: z
      .array(z.lazy(() => Node))
      .min(1)
      .max(16)
      .optional(),
    properties: z
      .record(
        z.string().max(128),
        z.lazy(() => Node),
      )
      .optional(),
    required: z.array(z.string().max(128)).max(200).optional(),
    additionalProperties: z.union([z.boolean(), z.lazy(() => Node)]).optional(),
    items: z.lazy(() => Node).optional(),
    minItems: count,
    maxItems: count,
    minLength: count,
    maxLength: count,
    pattern: z.string().max(200).optional(),
    format: z.enum(TEXT_FORMATS).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    exclusiveMaximum: z.number().optional(),
  })
  .superRefine((node, context) => {
    const problem = node.pattern === undefined ? null : patternProblem(node.pattern, node.maxLength);
    if (problem !== null) context.addIssue({ code: 'custom', path: ['pattern'], message: problem });
  });

export type ReadContentSchema =
  | { readonly ok: true; readonly schema: ContentSchemaNode }
  | { readonly ok: false; readonly problem: string };

/** Reads the text of a content schema; a problem is a sentence that names the place. */
export function readContentSchema(text: string): ReadContentSchema {
  if (text.length > MAX_CONTENT_SCHEMA_CHARS) return no('The schema has at most 32,768 characters.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return no('The schema is no JSON.');
  }
  const size = sizeOf(value);
  if (size.depth > MAX_CONTENT_SCHEMA_DEPTH * 2)
    return no(`The schema nests deeper than ${MAX_CONTENT_SCHEMA_DEPTH} levels.`);
  const parsed = Node.safeParse(value);
  if (!parsed.success) return no(sentenceOf(parsed.error.issues[0]));
  const tree = treeOf(parsed.data);
  if (tree.depth > MAX_CONTENT_SCHEMA_DEPTH)
    return no(`The schema nests deeper than ${MAX_CONTENT_SCHEMA_DEPTH} levels.`);
  if (tree.nodes > MAX_CONTENT_SCHEMA_NODES)
    return no(`The schema has ${tree.nodes} parts; ${MAX_CONTENT_SCHEMA_NODES} is the most.`);
  return { ok: true, schema: parsed.data };
}

/** The schemas inside a schema, one level down. */
export function childrenOf(node: ContentSchemaNode): readonly ContentSchemaNode[] {
  const { anyOf = [], properties = {}, additionalProperties, items } = node;
  const more = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...anyOf, ...Object.values(properties), ...more, ...(items === undefined ? [] : [items])];
}

function no(problem: string): ReadContentSchema {
  return { ok: false, problem };
}

/** Depth of any JSON value, read without recursion deeper than what is allowed. */
function sizeOf(value: unknown, depth = 0): { readonly depth: number } {
  if (typeof value !== 'object' || value === null || depth > MAX_CONTENT_SCHEMA_DEPTH * 2) return { depth };
  return { depth: Math.max(depth, ...Object.values(value).map((one) => sizeOf(one, depth + 1).depth)) };
}

function treeOf(node: ContentSchemaNode): { readonly nodes: number; readonly depth: number } {
  const below = childrenOf(node).map(treeOf);
  return {
    nodes: below.reduce((sum, { nodes }) => sum + nodes, 1),
    depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
  };
}

/** One character: a class, an escape that stands for one, or itself. */
const ATOM = /^(?:\[\^?(?:\\.|[^\]\\])+\]|\\[dDwWsS]|\\[^A-Za-z0-9]|[^\\[\](){}*+?|^$])/;
const REPEAT = /^(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})/;

/**
 * Patterns are what a machine without memory could match in a bounded number of steps: anchored, a row of characters each
 * of which may repeat, at most two of them a varying number of times, on short texts.
 */
function patternProblem(pattern: string, maxLength: number | undefined): string | null {
  if (maxLength === undefined || maxLength > MAX_PATTERN_TEXT) {
    return `A pattern needs a maxLength of at most ${MAX_PATTERN_TEXT} beside it.`;
  }
  if (!pattern.startsWith('^') || !pattern.endsWith('$')) return 'A pattern begins with ^ and ends with $.';
  let rest = pattern.slice(1, -1);
  let repeats = 0;
  while (rest !== '') {
    const atom = ATOM.exec(rest)?.[0];
    if (atom === undefined)
      return 'A pattern is a row of characters and classes; it has no groups, alternatives or references.';
    rest = rest.slice(atom.length);
    const repeat = REPEAT.exec(rest)?.[0] ?? '';
    rest = rest.slice(repeat.length);
    if (repeat !== '' && !/^\{\d+\}$/.test(repeat)) repeats += 1;
  }
  if (repeats > MAX_PATTERN_REPEATS) return 'A pattern has at most two parts that repeat a varying number of times.';
  return isPattern(pattern) ? null : 'The pattern is no regular expression.';
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}

function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'The schema is no content schema.';
  const at = issue.path.length === 0 ? '' : ` at ${issue.path.map(String).join('.')}`;
  if (issue.code === 'custom') return `${issue.message.slice(0, -1)}${at}.`;
  if (issue.code === 'unrecognized_keys')
    return `The schema${at} has ${issue.keys.join(', ')}, which Habitat does not check.`;
  return `The schema${at} is not valid: ${issue.message}.`;
}
