import type { Outcome } from '#gateway/contract/errors.ts';
import { OUTCOME_WORDS } from './outcome-words.ts';

interface OutcomeShapeProps {
  readonly outcome: Outcome;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The area of an outcome, within an SVG: its colour, with the mark that tells it from one of like lightness without colour. */
export function OutcomeShape({ outcome, x, y, width, height }: OutcomeShapeProps) {
  const { colour, mark } = OUTCOME_WORDS[outcome];
  const middle = x + width / 2;
  return (
    <>
      <rect x={x} y={y} width={width} height={height} fill={colour} />
      {mark === 'down' && <rect x={middle - 0.5} y={y} width={1} height={height} fill="var(--surface)" />}
      {mark === 'across' && (
        <line
          x1={middle}
          x2={middle}
          y1={y + height}
          y2={y}
          stroke="var(--surface)"
          strokeWidth={width}
          strokeDasharray="1 3"
          strokeDashoffset={-2}
        />
      )}
    </>
  );
}
