import type { Catalog, ContentOf, ObjectName } from './catalog.ts';

/** Content to be written, in one of three forms. The content type of each is as named unless told. */
export type Content =
  /** application/json */
  | { readonly json: unknown; readonly contentType?: string | undefined }
  /** text/plain; charset=utf-8 */
  | { readonly text: string; readonly contentType?: string | undefined }
  /** application/octet-stream */
  | { readonly bytes: Uint8Array; readonly contentType?: string | undefined };

/** What fits a type: JSON of its content's type when it has a content schema, any content when it has none. */
export type ContentFor<T extends Catalog, N extends ObjectName<T>> =
  unknown extends ContentOf<T, N>
    ? Content
    : { readonly json: ContentOf<T, N>; readonly contentType?: string | undefined };

/** An object as it is stored. */
export interface Found<C = unknown> {
  readonly version: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  text(): string;
  /** Parsed anew at each call. What was stored before the type got its content schema may not fit it. */
  json(): C;
}

export function foundOf<C>(version: string, contentType: string, content: Uint8Array | string): Found<C> {
  const asText = () => (typeof content === 'string' ? content : new TextDecoder().decode(content));
  return {
    version,
    contentType,
    get bytes() {
      return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    },
    text: asText,
    json: () => JSON.parse(asText()) as C,
  };
}

export function bodyOf(content: Content): { readonly body: string | Uint8Array; readonly contentType: string } {
  if ('json' in content)
    return { body: JSON.stringify(json(content.json)), contentType: content.contentType ?? 'application/json' };
  if ('text' in content) return { body: content.text, contentType: content.contentType ?? 'text/plain; charset=utf-8' };
  return { body: content.bytes, contentType: content.contentType ?? 'application/octet-stream' };
}

/** The same content as fields of an operation of a batch or a commit. */
export function contentFields(content: Content): Readonly<Record<string, unknown>> {
  const { contentType } = content;
  const type = contentType === undefined ? {} : { contentType };
  if ('json' in content) return { json: json(content.json), ...type };
  if ('text' in content) return { text: content.text, ...type };
  return { base64: Buffer.from(content.bytes).toString('base64'), ...type };
}

/** Whatever JSON.stringify leaves out would be sent as no content at all. */
function json(value: unknown): unknown {
  if (!['undefined', 'function', 'symbol'].includes(typeof value)) return value;
  throw new TypeError(`Content cannot be ${typeof value}.`);
}
