/** A piece of the server's sentence, by what it is. */
export type SentencePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'figure'; readonly text: string }
  | { readonly kind: 'release'; readonly release: number }
  | { readonly kind: 'moment'; readonly atMs: number };

// A moment (perhaps with its day, and the word UTC behind it), a release, or a figure with its unit.
const PIECE = /(?:(\d{4}-\d{2}-\d{2}) )?\b(\d{2}):(\d{2})\b(?: UTC)?|\br(\d+)\b|\b[\d.,]+(?: to [\d.,]+)? ms\b/g;

const DAY_MS = 86_400_000;

/**
 * Reads the sentence of a latency page, whose times are UTC, into parts that are shown as such: releases as links,
 * figures in bold, moments in the reader's zone. A time without a day is the first such one in the page's time.
 */
export function sentenceParts(sentence: string, fromMs: number): readonly SentencePart[] {
  const parts: SentencePart[] = [];
  let at = 0;
  for (const match of sentence.matchAll(PIECE)) {
    if (match.index > at) parts.push({ kind: 'text', text: sentence.slice(at, match.index) });
    parts.push(partOf(match, fromMs));
    at = match.index + match[0].length;
  }
  if (at < sentence.length) parts.push({ kind: 'text', text: sentence.slice(at) });
  return parts;
}

function partOf(match: RegExpExecArray, fromMs: number): SentencePart {
  const [whole, day, hour, minute, release] = match;
  if (release !== undefined) return { kind: 'release', release: Number(release) };
  if (hour === undefined || minute === undefined) return { kind: 'figure', text: whole.replace(/ ms$/, '\u00a0ms') };
  const ofDayMs = (Number(hour) * 60 + Number(minute)) * 60_000;
  if (day !== undefined) return { kind: 'moment', atMs: Date.parse(day) + ofDayMs };
  // The sentence cuts seconds off, so a moment may lie up to a minute before the page's time.
  const first = Math.floor(fromMs / DAY_MS) * DAY_MS + ofDayMs;
  return { kind: 'moment', atMs: first < fromMs - 60_000 ? first + DAY_MS : first };
}
