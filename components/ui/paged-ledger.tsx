'use client';

import { Ledger, type LedgerProps } from './ledger.tsx';
import type { ListPage } from './list-place.ts';
import { Pager, type PagerProps } from './pager.tsx';
import { usePlacedPage } from './use-placed-page.ts';

interface PagedLedgerProps<Row> extends Omit<LedgerProps<Row>, 'page'>, Omit<PagerProps, 'page'> {
  readonly page: ListPage;
  /** False where the list is too short to be turned. */
  readonly hasPages?: boolean | undefined;
}

/** The rows of one page of a longer list, and the way to the others. */
export function PagedLedger<Row>({
  page,
  isTurning,
  noun,
  one,
  words,
  hasPages = true,
  ...ledger
}: PagedLedgerProps<Row>) {
  const placed = usePlacedPage(page, isTurning);
  return (
    <div>
      <Ledger {...ledger} page={placed} />
      {hasPages && <Pager page={placed} isTurning={isTurning} noun={noun} one={one} words={words} />}
    </div>
  );
}
