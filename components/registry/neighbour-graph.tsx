'use client';

import Link from 'next/link';
import { useWidth } from '#components/charts/use-width.ts';
import { definitionHref } from '#components/definitions/kind-words.ts';
import { cn } from '#components/ui/cn.ts';
import type { Neighbourhood } from '#server/contract/definitions.ts';
import { type GraphGroup, type GraphRow, layoutNeighbours, ROW_HEIGHT } from './layout-neighbours.ts';

interface NeighbourGraphProps {
  readonly centre: string;
  readonly neighbours: Neighbourhood;
  /** The edge type that the page is about. */
  readonly marked: string | undefined;
}

const WIDE_BOX = 168;
const NARROW_BOX = 124;
/** Below this a box takes less, so that the lines keep room for names. */
const WIDE = 800;
const PAD = 16;
/** Width of a character of the mono font at 12 px. */
const CHARACTER = 7.3;
const LOOP = 44;

/**
 * The types around one type, drawn. A picture of the list beside it for those who see: the list says the same and more, so
 * a screen reader and the Tab key pass this by. Nothing is drawn where there is no room.
 */
export function NeighbourGraph({ centre, neighbours, marked }: NeighbourGraphProps) {
  const [ref, width] = useWidth();
  const graph = layoutNeighbours(centre, neighbours.drawn, neighbours.lines);
  const box = width < WIDE ? NARROW_BOX : WIDE_BOX;
  const hasLeft = graph.left.length > 0;
  const centreX = hasLeft ? (width - box) / 2 : PAD;
  const link = hasLeft ? centreX - box - PAD : Math.min(width - 2 * (box + PAD), 320);
  const height = graph.height + 2 * PAD;
  const isShown = width > 0 && link >= 80;
  return (
    <div ref={ref} className="max-tablet:hidden">
      {isShown && (
        <svg aria-hidden width={width} height={height} className="block">
          <g transform={`translate(0 ${PAD})`}>
            {graph.left.map((group) => (
              <Side
                key={group.type}
                group={group}
                marked={marked}
                box={box}
                boxX={PAD}
                lineX={PAD + box}
                length={link}
              />
            ))}
            {graph.right.map((group) => (
              <Side
                key={group.type}
                group={group}
                marked={marked}
                box={box}
                boxX={centreX + box + link}
                lineX={centreX + box}
                length={link}
              />
            ))}
            {graph.loops.map((row) => (
              <Loop key={row.edge} row={row} x={centreX + box} length={link + box} isMarked={row.edge === marked} />
            ))}
            <Box width={box} x={centreX} y={0} height={graph.height} type={centre} isCentre />
          </g>
        </svg>
      )}
      {isShown && graph.leftOut > 0 && (
        <p className="border-line border-t px-4 py-2 text-ink-2">
          {graph.leftOut} more {graph.leftOut === 1 ? 'edge type is' : 'edge types are'} left out here; the list has
          all.
        </p>
      )}
    </div>
  );
}

interface SideProps {
  readonly group: GraphGroup;
  readonly marked: string | undefined;
  readonly box: number;
  readonly boxX: number;
  readonly lineX: number;
  readonly length: number;
}

function Side({ group, marked, box, boxX, lineX, length }: SideProps) {
  return (
    <>
      {group.rows.map((row) => (
        <Line key={row.edge} row={row} x={lineX} length={length} isMarked={row.edge === marked} />
      ))}
      <Box width={box} x={boxX} y={group.y} height={group.height} type={group.type} />
    </>
  );
}

interface LineProps {
  readonly row: GraphRow;
  readonly x: number;
  readonly length: number;
  readonly isMarked: boolean;
}

/** Lines run from left to right on both sides: to the centre, then away from it. */
function Line({ row, x, length, isMarked }: LineProps) {
  const end = x + length;
  return (
    <g>
      <Stroke
        row={row}
        isMarked={isMarked}
        line={`M${x} ${row.y}H${end}`}
        heads={`M${end - 6} ${row.y - 4}L${end} ${row.y}L${end - 6} ${row.y + 4}${back(row, x)}`}
      />
      <EdgeName name={row.edge} x={x + length / 2} y={row.y - 6} room={length - 20} isMarked={isMarked} />
      {row.inverse !== null && (
        <EdgeName name={row.inverse} x={x + length / 2} y={row.y + 15} room={length - 20} isInverse />
      )}
    </g>
  );
}

/** The arrowhead of an inverse, at the line's beginning. */
function back({ inverse, y }: GraphRow, x: number): string {
  return inverse === null ? '' : `M${x + 6} ${y - 4}L${x} ${y}L${x + 6} ${y + 4}`;
}

function Loop({ row, x, length, isMarked }: LineProps) {
  const [top, bottom] = [row.y - 8, row.y + 8];
  const turn = x + LOOP - 8;
  return (
    <g>
      <Stroke
        row={row}
        isMarked={isMarked}
        line={`M${x} ${top}H${turn}a8 8 0 0 1 0 16H${x}`}
        heads={`M${x + 6} ${bottom - 4}L${x} ${bottom}L${x + 6} ${bottom + 4}`}
      />
      <EdgeName
        name={row.edge}
        x={x + LOOP + 8}
        y={row.inverse === null ? row.y + 4 : row.y - 4}
        room={length - LOOP - 8}
        anchor="start"
        isMarked={isMarked}
      />
      {row.inverse !== null && (
        <EdgeName
          name={row.inverse}
          x={x + LOOP + 8}
          y={row.y + 13}
          room={length - LOOP - 8}
          anchor="start"
          isInverse
        />
      )}
    </g>
  );
}

interface StrokeProps {
  readonly row: GraphRow;
  readonly isMarked: boolean;
  readonly line: string;
  readonly heads: string;
}

/** A line and its arrowheads; that of an edge type on its way out is dashed. */
function Stroke({ row, isMarked, line, heads }: StrokeProps) {
  return (
    <g fill="none" className={strokeOf(row, isMarked)}>
      <path d={line} strokeDasharray={row.state === 'active' ? undefined : '4 3'} />
      <path d={heads} />
    </g>
  );
}

function strokeOf({ state }: GraphRow, isMarked: boolean): string {
  if (isMarked) return 'stroke-accent';
  return state === 'active' ? 'stroke-edge' : 'stroke-warn';
}

interface EdgeNameProps {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly room: number;
  readonly anchor?: 'start' | 'middle';
  readonly isMarked?: boolean;
  readonly isInverse?: boolean;
}

function EdgeName({ name, x, y, room, anchor = 'middle', isMarked = false, isInverse = false }: EdgeNameProps) {
  return (
    <Link href={definitionHref('edgeType', name)} prefetch={false} tabIndex={-1} className="group">
      <title>{isInverse ? `${name}, the inverse` : name}</title>
      <text
        x={x}
        y={y}
        textAnchor={anchor}
        className={cn(
          'font-mono text-meta group-hover:fill-accent group-hover:underline',
          isMarked ? 'fill-accent font-semibold' : isInverse ? 'fill-ink-3' : 'fill-ink',
        )}
      >
        {clipped(name, room)}
      </text>
    </Link>
  );
}

interface BoxProps {
  readonly width: number;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly type: string;
  readonly isCentre?: boolean;
}

function Box({ width, x, y, height, type, isCentre = false }: BoxProps) {
  const middle = y + height / 2;
  return (
    <Link href={definitionHref('objectType', type)} prefetch={false} tabIndex={-1} className="group">
      <title>{type}</title>
      <rect
        x={x + 0.5}
        y={y + (ROW_HEIGHT - 32) / 2 + 0.5}
        width={width - 1}
        height={height - (ROW_HEIGHT - 32) - 1}
        rx={2}
        className={cn(
          'group-hover:stroke-accent',
          isCentre ? 'fill-accent-wash stroke-accent' : 'fill-surface stroke-edge',
        )}
      />
      <path
        d={`M${x + 15} ${middle - 4.5}L${x + 19.5} ${middle}L${x + 15} ${middle + 4.5}L${x + 10.5} ${middle}Z`}
        className={isCentre ? 'stroke-accent' : 'stroke-ink-3'}
        fill="none"
      />
      <text
        x={x + 27}
        y={middle + 4}
        className={cn('fill-ink font-mono text-meta group-hover:fill-accent', isCentre && 'font-semibold')}
      >
        {clipped(type, width - 36)}
      </text>
    </Link>
  );
}

function clipped(name: string, room: number): string {
  const most = Math.max(Math.floor(room / CHARACTER), 4);
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}
