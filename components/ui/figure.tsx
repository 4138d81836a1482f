'use client';

import { useId, useState } from 'react';
import { cn } from './cn.ts';
import { FigureToggle } from './figure-toggle.tsx';

/** The numbers behind a figure, for the table twin. */
export interface FigureTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

interface FigureProps {
  readonly title: string;
  /** Unit, bucket, source and error, in one line: `20 s buckets · 412,903 requests · error ≤ 1 %`. */
  readonly source: React.ReactNode;
  /** Called when the table is opened; every figure has one. */
  readonly table: () => FigureTable;
  /** Controls of this figure: log axis and the like. */
  readonly acts?: React.ReactNode;
  /** Height of the drawing, so that nothing moves when a chart chunk arrives. */
  readonly heightPx: number;
  readonly children: React.ReactNode;
  readonly className?: string | undefined;
}

/** A chart with its title, unit and source, and the same numbers as a table one click away. */
export function Figure({ title, source, table, acts, heightPx, children, className }: FigureProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <figure aria-labelledby={id} className={cn('min-w-0 bg-surface', className)}>
      <figcaption className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 pt-3 pb-2">
        <span id={id} className="font-semibold">
          {title}
        </span>
        <span className="text-ink-3 text-meta">{source}</span>
        <span className="ml-auto flex items-center gap-3 text-ink-2 text-meta">
          <FigureToggle on={isTable} onChange={setTable}>
            Table
          </FigureToggle>
          {acts}
        </span>
      </figcaption>
      <div
        style={isTable ? { maxHeight: Math.max(heightPx, 240) } : { height: heightPx }}
        className={isTable ? 'overflow-auto' : 'px-4 pb-3'}
        {...(isTable ? { role: 'region', 'aria-labelledby': id, tabIndex: 0 } : {})}
      >
        {isTable ? <NumberTable label={title} table={table()} /> : children}
      </div>
    </figure>
  );
}

function NumberTable({ label, table }: { readonly label: string; readonly table: FigureTable }) {
  return (
    <table aria-label={label} className="w-full border-line border-t text-right">
      <thead className="sticky top-0 bg-surface text-ink-3 text-meta">
        <tr>
          {table.heads.map((head, at) => (
            <th
              key={head}
              scope="col"
              className={cn('whitespace-nowrap px-4 py-1.5 font-normal', at === 0 && 'text-left')}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {table.rows.map((row) => (
          <tr key={String(row[0])}>
            {row.map((value, at) =>
              at === 0 ? (
                <th key={table.heads[at]} scope="row" className="whitespace-nowrap px-4 py-1 text-left font-normal">
                  {value}
                </th>
              ) : (
                <td key={table.heads[at]} className="whitespace-nowrap px-4 py-1">
                  {value}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
