import type { Tone } from './terminal.ts';

export interface DiffLine {
  readonly text: string;
  readonly tone: Tone;
}

/** Lines around a difference that are shown with it. */
const CONTEXT = 3;
/** Beyond this many cells of comparison the two texts are shown one after the other. */
const MAX_CELLS = 4_000_000;

interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** What leads from one text to the other, in the unified form of diff -u; empty when they are equal. */
export function unifiedDiff(from: { name: string; text: string }, to: { name: string; text: string }): DiffLine[] {
  if (from.text === to.text) return [];
  const steps = stepsOf(linesOf(from.text), linesOf(to.text));
  return [
    { text: `--- ${from.name}`, tone: 'removed' },
    { text: `+++ ${to.name}`, tone: 'added' },
    ...hunksOf(steps).flatMap((hunk) => hunkLines(steps, hunk)),
  ];
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The shortest way by the longest common subsequence. */
function stepsOf(a: readonly string[], b: readonly string[]): readonly Step[] {
  if (a.length * b.length > MAX_CELLS) {
    return [...a.map((text): Step => ({ sign: '-', text })), ...b.map((text): Step => ({ sign: '+', text }))];
  }
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      steps.push({ sign: ' ', text: a[i] ?? '' });
      [i, j] = [i + 1, j + 1];
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      steps.push({ sign: '-', text: a[i] ?? '' });
      i += 1;
    } else {
      steps.push({ sign: '+', text: b[j] ?? '' });
      j += 1;
    }
  }
  return steps;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Spans of steps with their context; those that touch are one. */
function hunksOf(steps: readonly Step[]): readonly Span[] {
  const hunks: Span[] = [];
  for (const [index, { sign }] of steps.entries()) {
    if (sign === ' ') continue;
    const last = hunks.at(-1);
    const span = { start: Math.max(0, index - CONTEXT), end: Math.min(steps.length, index + CONTEXT + 1) };
    if (last !== undefined && span.start <= last.end) hunks[hunks.length - 1] = { start: last.start, end: span.end };
    else hunks.push(span);
  }
  return hunks;
}

function hunkLines(steps: readonly Step[], { start, end }: Span): readonly DiffLine[] {
  const part = steps.slice(start, end);
  const before = steps.slice(0, start);
  const range = (sign: '-' | '+') => {
    const count = part.filter((step) => step.sign === ' ' || step.sign === sign).length;
    const first = before.filter((step) => step.sign === ' ' || step.sign === sign).length + (count === 0 ? 0 : 1);
    return `${sign}${first},${count}`;
  };
  return [
    { text: `@@ ${range('-')} ${range('+')} @@`, tone: 'quiet' },
    ...part.map(({ sign, text }): DiffLine => ({ text: sign + text, tone: TONES[sign] })),
  ];
}

const TONES = { ' ': 'plain', '-': 'removed', '+': 'added' } as const;
