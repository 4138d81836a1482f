import { diffDocuments } from '#components/ui/diff-documents.ts';

/** The document of a definition while it is being edited: any part of it may still be missing or wrong. */
export type Document = Readonly<Record<string, unknown>>;

/** The value at a dotted path, `audit.reads`; undefined where there is none. */
export function valueAt(document: Document | null, path: string): unknown {
  let at: unknown = document;
  for (const key of path.split('.')) at = isDocument(at) ? at[key] : undefined;
  return at;
}

/** Text at a dotted path; '' where there is none or it is something else. */
export function textAt(document: Document | null, path: string): string {
  const value = valueAt(document, path);
  return typeof value === 'string' ? value : '';
}

/** A copy with the value at a dotted path replaced; undefined takes the field out. */
export function withValueAt(document: Document, path: string, value: unknown): Document {
  const [key = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const inner = document[key];
    return { ...document, [key]: withValueAt(isDocument(inner) ? inner : {}, rest.join('.'), value) };
  }
  if (value !== undefined) return { ...document, [key]: value };
  return Object.fromEntries(Object.entries(document).filter(([name]) => name !== key));
}

/** The document with its fields in a given order; what is not named comes last. */
export function inFieldOrder(document: Document, fields: readonly string[]): Document {
  const place = (key: string) => (fields.includes(key) ? fields.indexOf(key) : fields.length);
  return Object.fromEntries(Object.entries(document).sort(([a], [b]) => place(a) - place(b)));
}

/** Equality of documents; the order of keys does not count, and an undefined field is no field. */
export function isSame(a: unknown, b: unknown): boolean {
  return diffDocuments(a, b).length === 0;
}

/** Narrows to a plain record. */
export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
