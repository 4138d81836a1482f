import type { ContentSchemaNode, JsonType } from '#gateway/contract/content-schema.ts';

/**
 * The TypeScript type of what fits a content schema, as text. What TypeScript cannot say, like lengths, is left to the
 * gateway. An object takes no other names than the schema's unless it says that it does: a name that nobody reads is
 * mostly a slip.
 */
export function typeTextOf(node: ContentSchemaNode, indent = ''): string {
  const { anyOf, type } = node;
  const alternatives = anyOf === undefined ? [] : [joined(anyOf.map((one) => typeTextOf(one, indent)))];
  const types = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  const plain =
    literalsOf(node) ?? (types.length === 0 ? [] : [joined(types.map((one) => plainText(one, node, indent)))]);
  const all = [...alternatives, ...plain];
  if (all.length === 0) return 'unknown';
  return all.map((one) => (all.length > 1 && one.includes(' | ') ? `(${one})` : one)).join(' & ');
}

/** One line that cannot end the comment it stands in. */
export function commentOf(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
}

function literalsOf(node: ContentSchemaNode): readonly string[] | null {
  if (node.const !== undefined) return [JSON.stringify(node.const)];
  return node.enum === undefined ? null : [joined(node.enum.map((value) => JSON.stringify(value)))];
}

function joined(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function plainText(type: JsonType, node: ContentSchemaNode, indent: string): string {
  switch (type) {
    case 'object':
      return objectText(node, indent);
    case 'array':
      return arrayText(node, indent);
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
  }
}

function arrayText({ items }: ContentSchemaNode, indent: string): string {
  const item = items === undefined ? 'unknown' : typeTextOf(items, indent);
  return `readonly ${/[|&]|^readonly/.test(item) ? `(${item})` : item}[]`;
}

function objectText(node: ContentSchemaNode, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = node;
  const inner = `${indent}  `;
  const names = [...new Set([...Object.keys(properties), ...required])];
  const lines = names.flatMap((name) => {
    const property = properties[name] ?? {};
    const comment = property.description ?? property.title;
    const field = `${nameText(name)}${required.includes(name) ? '' : '?'}: ${typeTextOf(property, inner)};`;
    return [...(comment === undefined ? [] : [`/** ${commentOf(comment)} */`]), `readonly ${field}`];
  });
  // Beside named properties of other types, only unknown fits all.
  if (typeof additionalProperties === 'object' && names.length === 0) {
    lines.push(`readonly [name: string]: ${typeTextOf(additionalProperties, inner)};`);
  } else if (additionalProperties === true || typeof additionalProperties === 'object') {
    lines.push('readonly [name: string]: unknown;');
  }
  if (lines.length === 0)
    return additionalProperties === false ? 'Readonly<Record<never, never>>' : 'Readonly<Record<string, unknown>>';
  return `{\n${lines.map((line) => `${inner}${line}`).join('\n')}\n${indent}}`;
}

function nameText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
