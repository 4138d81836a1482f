/** One column. `lead` is the row's name and link, so its cell holds no other link. */
export interface LedgerColumn<Row> {
  readonly key: string;
  /** Empty for a column of acts; screen readers hear *Acts*. */
  readonly head: string;
  readonly cell: (row: Row) => React.ReactNode;
  readonly align?: 'left' | 'right' | undefined;
  /** CSS width of the column, e.g. `8rem` or `30%`. */
  readonly width?: string | undefined;
  /**
   * Place in the two-line row of a phone. The first column is `lead` unless said otherwise; the rest are `meta`. `line` is a
   * line of its own below, for what is too long to stand beside others.
   */
  readonly phone?: 'lead' | 'end' | 'meta' | 'line' | 'hide' | undefined;
  /** Shown only from 1,280 px (`wide`) or 1,100 px up (`desk`), where there is room for it; on a phone `phone` decides. */
  readonly from?: 'wide' | 'desk' | undefined;
}
