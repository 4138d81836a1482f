'use client';

import { type RefObject, useEffect, useState } from 'react';

/** Up to here every row is in the page, so that the browser's find works. */
const ALL_UP_TO = 200;
const OVERSCAN = 20;

interface RowWindow {
  readonly from: number;
  readonly to: number;
  /** Heights that stand for the rows not in the page, px. */
  readonly before: number;
  readonly after: number;
}

/** Which rows of a long table to put into the page, by the view's position. Rows share one height, read from the first. */
export function useRowWindow(table: RefObject<HTMLTableElement | null>, count: number): RowWindow {
  const isLong = count > ALL_UP_TO;
  const [place, setPlace] = useState({ first: 0, visible: 60, rowPx: 36 });
  useEffect(() => {
    if (!isLong) return;
    const measure = () => {
      const element = table.current;
      if (element === null) return;
      const rowPx = element.querySelector('tbody tr:not([data-spacer])')?.getBoundingClientRect().height ?? 36;
      const first = Math.max(0, Math.floor(-element.getBoundingClientRect().top / rowPx));
      const visible = Math.ceil(innerHeight / rowPx);
      setPlace((now) =>
        now.first === first && now.visible === visible && now.rowPx === rowPx ? now : { first, visible, rowPx },
      );
    };
    measure();
    addEventListener('scroll', measure, { passive: true, capture: true });
    addEventListener('resize', measure);
    return () => {
      removeEventListener('scroll', measure, { capture: true });
      removeEventListener('resize', measure);
    };
  }, [isLong, table]);
  if (!isLong) return { from: 0, to: count, before: 0, after: 0 };
  const from = Math.min(count, Math.max(0, place.first - OVERSCAN));
  const to = Math.min(count, place.first + place.visible + OVERSCAN);
  return { from, to, before: from * place.rowPx, after: (count - to) * place.rowPx };
}
