interface SparklineProps {
  /** p99 by bucket; null where there were too few requests. */
  readonly values: readonly (number | null)[];
  /** What it shows, in words, since the drawing itself is small. */
  readonly label: string;
}

const WIDTH = 112;
const HEIGHT = 22;

/** A line without axes: the shape of the last hour. A missing value breaks it. */
export function Sparkline({ values, label }: SparklineProps) {
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  const x = (at: number) => (values.length < 2 ? WIDTH / 2 : 2 + (at / (values.length - 1)) * (WIDTH - 4));
  const y = (value: number) => HEIGHT - 2 - (highest === 0 ? 0 : (value / highest) * (HEIGHT - 4));
  const runs = runsOf(values);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <path d={`M2 ${HEIGHT - 1.5}H${WIDTH - 2}`} stroke="var(--line)" />
      {runs.map((run) =>
        run.length === 1 ? (
          <circle key={run[0]?.at} cx={x(run[0]?.at ?? 0)} cy={y(run[0]?.value ?? 0)} r="1.5" fill="var(--p99)" />
        ) : (
          <polyline
            key={run[0]?.at}
            points={run.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
            fill="none"
            stroke="var(--p99)"
            strokeWidth="1.25"
            strokeLinejoin="round"
          />
        ),
      )}
    </svg>
  );
}

interface Placed {
  readonly at: number;
  readonly value: number;
}

/** Neighbours that have a value. */
export function runsOf(values: readonly (number | null)[]): readonly (readonly Placed[])[] {
  const runs: Placed[][] = [];
  values.forEach((value, at) => {
    if (value === null) return;
    const last = runs.at(-1);
    if (last?.at(-1)?.at === at - 1) last.push({ at, value });
    else runs.push([{ at, value }]);
  });
  return runs;
}
