import type { Table } from '#test/bench/lib/report.ts';
import { ratios, type Spread, showSpread, spreadOf } from '#test/bench/lib/spread.ts';
import type { Figures } from './rounds.ts';

/** A figure with the most that it may be; `by` names what it is divided by, null for µs as they are. */
interface Target {
  readonly figure: string;
  readonly of: string;
  readonly by: string | null;
  readonly most: number;
  readonly stretch?: number;
}

const TARGETS: readonly Target[] = [
  {
    figure: 'object.get from the cache ÷ nginx hop',
    of: 'object.get from the cache',
    by: 'nginx hop',
    most: 1.6,
    stretch: 1.3,
  },
  { figure: 'object.get ÷ nginx http→TLS', of: 'object.get', by: 'nginx http→TLS', most: 4.6, stretch: 3.6 },
  { figure: 'object.get ÷ SDK directly', of: 'object.get', by: 'SDK directly', most: 0.6, stretch: 0.4 },
  {
    figure: 'batch of 100 from the store one by one, µs per operation',
    of: 'batch of 100, one by one',
    by: null,
    most: 60,
  },
  {
    figure: 'batch of 100 from the cache, in clear, µs per operation',
    of: 'batch of 100 from the cache',
    by: null,
    most: 2,
  },
  { figure: 'refusal 403, µs', of: 'refusal 403', by: null, most: 25 },
  { figure: 'refusal 429, µs', of: 'refusal 429', by: null, most: 25 },
];

/** Each target that the run has figures for. `isUnjudged` when the machine was too restless to say. */
export function targetTable(figures: Figures, isUnjudged: boolean): Table {
  const rows = TARGETS.flatMap((target) => {
    const spread = spreadFor(target, figures);
    if (spread === null) return [];
    const { figure, most, stretch } = target;
    const goal = stretch === undefined ? `≤ ${most}` : `≤ ${most} (stretch ${stretch})`;
    return [
      [
        figure,
        showSpread(spread, target.by === null ? 1 : 2),
        goal,
        isUnjudged ? 'not judged' : verdict(spread, target),
      ],
    ];
  });
  return { columns: ['target', 'measured', 'goal', 'verdict'], rows };
}

function spreadFor({ of, by }: Target, figures: Figures): Spread | null {
  const values = figures.get(of);
  if (values === undefined) return null;
  if (by === null) return spreadOf(values);
  const yardstick = figures.get(by);
  return yardstick === undefined ? null : spreadOf(ratios(values, yardstick));
}

function verdict({ median }: Spread, { most, stretch }: Target): string {
  if (stretch !== undefined && median <= stretch) return 'met, and the stretch';
  return median <= most ? 'met' : 'missed';
}
