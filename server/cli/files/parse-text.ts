import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type YAMLError,
} from 'yaml';
import { jsonFaultAt } from './json-fault.ts';

/** One document of a file as plain data, with the way back to where each part of it stands. */
export interface ParsedDocument {
  readonly value: unknown;
  /** Line and column, 1-based, of the deepest part of `path` that is there. */
  readonly placeOf: (path: readonly PropertyKey[]) => Place;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Fault extends Place {
  readonly message: string;
}

export type Parsed = { readonly documents: readonly ParsedDocument[] } | { readonly faults: readonly Fault[] };

/** YAML 1.2 (which JSON is) to plain data. Keys come once; aliases are allowed, and a bomb of them is not. */
export function parseYaml(text: string): Parsed {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    stringKeys: true,
    version: '1.2',
    schema: 'core',
    logLevel: 'silent',
  });
  const documents = 'empty' in parsed ? [] : parsed;
  const faults = documents.flatMap(({ errors }) => errors.map((error) => faultOf(error, lines)));
  if (faults.length > 0) return { faults };
  return readAll(documents, lines);
}

/** JSON to plain data, an array of definitions being as many documents. Places are found by reading it as YAML. */
export function parseJson(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { faults: [jsonFault(error, text)] };
  }
  const lines = new LineCounter();
  const [document] = parseAllDocuments(text, {
    lineCounter: lines,
    strict: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const twice = document?.errors.filter(({ code }) => code === 'DUPLICATE_KEY') ?? [];
  if (twice.length > 0) return { faults: twice.map((error) => faultOf(error, lines)) };
  const at = (path: readonly PropertyKey[]) => placeIn(document ?? null, path, lines);
  if (!Array.isArray(value)) return { documents: [{ value, placeOf: at }] };
  return { documents: value.map((item, index) => ({ value: item, placeOf: (path) => at([index, ...path]) })) };
}

function readAll(documents: readonly Document.Parsed[], lines: LineCounter): Parsed {
  const read: ParsedDocument[] = [];
  for (const document of documents) {
    try {
      const value: unknown = document.toJS({ maxAliasCount: 100 });
      if (value !== null) read.push({ value, placeOf: (path) => placeIn(document, path, lines) });
    } catch (error) {
      const message = error instanceof Error ? error.message : 'cannot be read';
      return { faults: [{ line: 1, column: 1, message: `${message}. Write the parts out instead of aliases.` }] };
    }
  }
  return { documents: read };
}

/** Of a field its name, of an item itself; of what is missing, the nearest part around it. */
function placeIn(document: Document.Parsed | null, path: readonly PropertyKey[], lines: LineCounter): Place {
  let node: unknown = document?.contents ?? null;
  let offset = startOf(node) ?? 0;
  for (const key of path) {
    const pair = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && item.key.value === String(key))
      : undefined;
    const item = isSeq(node) ? node.items[Number(key)] : undefined;
    offset = startOf(pair?.key ?? item) ?? offset;
    node = pair?.value ?? item;
    if (isAlias(node) && document !== null) node = node.resolve(document);
    if (node === undefined || node === null) break;
  }
  return placeAt(offset, lines);
}

function startOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null;
}

function placeAt(offset: number, lines: LineCounter): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** What to do about the faults that people make most. */
const ADVICE: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces; YAML takes no tabs.',
  DUPLICATE_KEY: 'A field stands twice; keep one.',
  BAD_INDENT: 'Indent it as deep as its neighbours.',
  MISSING_CHAR: 'A quote, bracket or colon is missing, or the text before it needs quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put quotes around text that has ": " in it.',
  UNRESOLVED_TAG: 'Leave the tag (!…) out.',
  TAG_RESOLVE_FAILED: 'Leave the tag (!…) out.',
};

function faultOf({ code, message, pos: [offset] }: YAMLError, lines: LineCounter): Fault {
  const said = message.replace(/\.$/, '');
  return {
    ...placeAt(offset, lines),
    message: `${said}. ${ADVICE[code] ?? 'Correct it; text with special characters needs quotes.'}`,
  };
}

function jsonFault(error: unknown, text: string): Fault {
  const said = error instanceof Error ? error.message : '';
  const what = /^[^,]*?(?=,? in JSON|, ?\.*"|$)/s.exec(said)?.[0] ?? 'It is not JSON';
  const before = text.slice(0, jsonFaultAt(text)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message: `${what}. Correct the JSON here.` };
}
