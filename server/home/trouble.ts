/** Something wrong with a gateway or with what it stores in, in one sentence. */
export interface Trouble {
  /** A gateway's name, `fleet`, or a region of the store. */
  readonly subject: string;
  readonly text: string;
  readonly href: string;
  readonly severity: 'warning' | 'error';
  readonly sinceMs: number;
}
