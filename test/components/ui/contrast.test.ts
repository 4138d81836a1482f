import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OUTCOME_WORDS } from '#components/charts/outcome-words.ts';
import { contrast, difference, type Oklch, VISION } from './colour.ts';

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const css = readFileSync(new URL('../../../app/globals.css', import.meta.url), 'utf8');

/** Every token of the CSS as a pair of colours; nothing here is written a second time. */
const TOKENS = new Map(
  [...css.matchAll(/--([a-z0-9-]+): light-dark\(oklch\(([^)/]+)\), oklch\(([^)/]+)\)\);/g)].map(
    ([, name, light, dark]) => [name ?? '', { light: parse(light ?? ''), dark: parse(dark ?? '') }],
  ),
);

function parse(text: string): Oklch {
  const [l, c, h] = text.trim().split(/\s+/).map(Number);
  if (l === undefined || c === undefined || h === undefined || [l, c, h].some(Number.isNaN))
    throw new Error(`not a colour: ${text}`);
  return { l, c, h };
}

function token(name: string, theme: Theme): Oklch {
  const found = TOKENS.get(name);
  if (found === undefined) throw new Error(`no token --${name}`);
  return found[theme];
}

/** Text needs 4.5:1 on every ground it stands on; what must only be made out needs 3:1 (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT = {
  names: ['ink', 'ink-2', 'ink-3', 'accent', 'accent-hover', 'ok', 'warn', 'danger', 'hold'],
  on: ['canvas', 'surface', 'sunken'],
  least: 4.5,
};
const SHAPES = {
  names: ['edge', 'focus', 'p50', 'p95', 'p99', 'served', 'not-found', 'refused', 'over-quota', 'overloaded', 'failed'],
  on: ['surface'],
  least: 3,
};
const STATES = ['ok', 'warn', 'danger', 'hold', 'accent'];
const OUTCOMES = ['served', 'not-found', 'refused', 'over-quota', 'overloaded', 'failed'];
const HEAT = ['heat-1', 'heat-2', 'heat-3', 'heat-4', 'heat-5', 'heat-6', 'heat-7'];

describe.each(THEMES)('the %s theme', (theme) => {
  it('reads every text colour at 4.5:1 or more on paper, surface and sunken ground', () => {
    expect(tooWeak(TEXT, theme)).toEqual([]);
  });

  it('makes out every edge, line and mark at 3:1 or more', () => {
    expect(tooWeak(SHAPES, theme)).toEqual([]);
    expect(tooWeak({ names: ['edge', 'focus'], on: ['canvas', 'sunken'], least: 3 }, theme)).toEqual([]);
  });

  it('reads every state, and ink, on its own wash', () => {
    for (const state of STATES) {
      expect(tooWeak({ names: [state, 'ink', 'ink-2'], on: [`${state}-wash`], least: 4.5 }, theme)).toEqual([]);
    }
  });

  it('reads the label of a primary button, hovered too', () => {
    expect(tooWeak({ names: ['on-accent'], on: ['accent', 'accent-hover'], least: 4.5 }, theme)).toEqual([]);
  });

  it('orders the percentiles: the higher one stands out more', () => {
    const [p50, p95, p99] = ['p50', 'p95', 'p99'].map((name) => contrast(token(name, theme), token('surface', theme)));
    expect(p50).toBeLessThan(p95 ?? 0);
    expect(p95).toBeLessThan(p99 ?? 0);
  });

  it.each(Object.keys(VISION) as (keyof typeof VISION)[])('tells the six outcomes apart with %s vision', (vision) => {
    const pairs = OUTCOMES.flatMap((a, at) => OUTCOMES.slice(at + 1).map((b) => [a, b] as const));
    const close = pairs
      .map(([a, b]) => [a, b, difference(token(a, theme), token(b, theme), vision)] as const)
      .filter(([, , apart]) => apart < 16);
    expect(close).toEqual([]);
  });

  it('tells the six outcomes apart without any colour, by lightness or by their mark', () => {
    const drawn = Object.values(OUTCOME_WORDS).map(({ colour, mark }) => ({ name: colour.slice(6, -1), mark }));
    expect(drawn.map(({ name }) => name)).toEqual(OUTCOMES);
    const pairs = drawn.flatMap((a, at) => drawn.slice(at + 1).map((b) => [a, b] as const));
    const alike = pairs
      .filter(([a, b]) => a.mark === b.mark)
      .filter(([a, b]) => contrast(token(a.name, theme), token(b.name, theme)) < 1.8);
    expect(alike).toEqual([]);
  });

  it('tells each step of the heatmap from the next', () => {
    const steps = HEAT.slice(1).map((name, at) => difference(token(HEAT[at] ?? '', theme), token(name, theme)));
    expect(Math.min(...steps)).toBeGreaterThan(8);
  });
});

function tooWeak(
  { names, on, least }: { names: readonly string[]; on: readonly string[]; least: number },
  theme: Theme,
): readonly string[] {
  return names.flatMap((name) =>
    on
      .map((ground) => ({ ground, ratio: contrast(token(name, theme), token(ground, theme)) }))
      .filter(({ ratio }) => ratio < least)
      .map(({ ground, ratio }) => `--${name} on --${ground}: ${ratio.toFixed(2)}`),
  );
}
