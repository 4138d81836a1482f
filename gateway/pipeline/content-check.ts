import { type ContentSchemaNode, type JsonType, MAX_CHECKED_BYTES } from '#gateway/contract/content-schema.ts';
import { parseStrictJson } from './strict-json.ts';

/** Why content does not fit its schema. Says where and what was expected, never what is there. */
export interface Misfit {
  /** JSON pointer. Names that the schema does not have are `*`: they are content. */
  readonly path: string;
  readonly reason: string;
}

/** Checks content against a schema; null when it fits. */
export type ContentCheck = (content: Uint8Array) => Misfit | null;

type Check = (value: unknown, path: string) => Misfit | null;

/** Makes a schema into functions, once; the first thing that does not fit ends a check. */
export function compileContentSchema(schema: ContentSchemaNode): ContentCheck {
  const check = compile(schema);
  return (content) => {
    if (content.length > MAX_CHECKED_BYTES) {
      return misfit('', `has more than ${MAX_CHECKED_BYTES} bytes, the most that is checked`);
    }
    const json = parseStrictJson(content);
    return json.ok
      ? check(json.value, '')
      : misfit('', 'is no JSON in UTF-8, with each name once and at most 64 levels');
  };
}

function compile(node: ContentSchemaNode): Check {
  const checks = [typeCheck(node), valueCheck(node), textCheck(node), numberCheck(node), arrayCheck(node)];
  const all = [...checks, objectCheck(node), anyOfCheck(node)].filter((check) => check !== null);
  return (value, path) => {
    for (const check of all) {
      const found = check(value, path);
      if (found !== null) return found;
    }
    return null;
  };
}

function misfit(path: string, reason: string): Misfit {
  return { path, reason };
}

function typeCheck({ type }: ContentSchemaNode): Check | null {
  if (type === undefined) return null;
  const types: readonly JsonType[] = typeof type === 'string' ? [type] : type;
  const reason = `is not ${types.join(' or ')}`;
  return (value, path) => (types.some((one) => isOfType(value, one)) ? null : misfit(path, reason));
}

function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function valueCheck(node: ContentSchemaNode): Check | null {
  const allowed = node.const === undefined ? node.enum : [node.const, ...(node.enum ?? [])];
  if (allowed === undefined) return null;
  const both = node.const !== undefined && node.enum !== undefined;
  const values = new Set<unknown>(both ? node.enum?.filter((one) => one === node.const) : allowed);
  return (value, path) => (values.has(value) ? null : misfit(path, 'is none of the allowed values'));
}

const FORMATS = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  'date-time':
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
  uuid: /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/,
} as const;

function textCheck({ minLength = 0, maxLength, pattern, format }: ContentSchemaNode): Check | null {
  if (minLength === 0 && maxLength === undefined && pattern === undefined && format === undefined) return null;
  const most = maxLength ?? Number.POSITIVE_INFINITY;
  const shape = pattern === undefined ? null : new RegExp(pattern, 'u');
  return (value, path) => {
    if (typeof value !== 'string') return null;
    const length = lengthOf(value);
    if (length < minLength) return misfit(path, `is shorter than ${minLength} characters`);
    if (length > most) return misfit(path, `is longer than ${most} characters`);
    if (shape?.test(value) === false) return misfit(path, 'does not match its pattern');
    if (format !== undefined && !FORMATS[format].test(value)) return misfit(path, `is no ${format}`);
    return null;
  };
}

/** JSON Schema counts characters, not the units that a long one takes two of. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function numberCheck({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ContentSchemaNode): Check | null {
  if ([minimum, maximum, exclusiveMinimum, exclusiveMaximum].every((bound) => bound === undefined)) return null;
  return (value, path) => {
    if (typeof value !== 'number') return null;
    if (minimum !== undefined && value < minimum) return misfit(path, `is less than ${minimum}`);
    if (maximum !== undefined && value > maximum) return misfit(path, `is more than ${maximum}`);
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
      return misfit(path, `is not more than ${exclusiveMinimum}`);
    }
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
      return misfit(path, `is not less than ${exclusiveMaximum}`);
    }
    return null;
  };
}

function arrayCheck({ items, minItems = 0, maxItems }: ContentSchemaNode): Check | null {
  if (items === undefined && minItems === 0 && maxItems === undefined) return null;
  const each = items === undefined ? null : compile(items);
  const most = maxItems ?? Number.POSITIVE_INFINITY;
  return (value, path) => {
    if (!Array.isArray(value)) return null;
    if (value.length < minItems) return misfit(path, `has fewer than ${minItems} items`);
    if (value.length > most) return misfit(path, `has more than ${most} items`);
    if (each === null) return null;
    for (const [index, item] of value.entries()) {
      const found = each(item, `${path}/${index}`);
      if (found !== null) return found;
    }
    return null;
  };
}

function objectCheck({ properties = {}, required = [], additionalProperties }: ContentSchemaNode): Check | null {
  const known = new Map(Object.entries(properties).map(([name, node]) => [name, compile(node)]));
  const other = typeof additionalProperties === 'object' ? compile(additionalProperties) : null;
  if (known.size === 0 && required.length === 0 && other === null && additionalProperties !== false) return null;
  return (value, path) => {
    if (!isRecord(value)) return null;
    const missing = required.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return misfit(`${path}/${escaped(missing)}`, 'is missing');
    for (const [name, item] of Object.entries(value)) {
      const check = known.get(name);
      if (check === undefined && additionalProperties === false) return misfit(`${path}/*`, 'is not allowed');
      const found = check === undefined ? other?.(item, `${path}/*`) : check(item, `${path}/${escaped(name)}`);
      if (found !== null && found !== undefined) return found;
    }
    return null;
  };
}

function anyOfCheck({ anyOf }: ContentSchemaNode): Check | null {
  if (anyOf === undefined) return null;
  const ways = anyOf.map(compile);
  return (value, path) => {
    const fits = ways.some((way) => way(value, path) === null);
    return fits ? null : misfit(path, 'fits none of the alternatives');
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name in a JSON pointer (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
