/** One operation as the search sees it. */
export interface Step<S> {
  /** The state after it; null when it cannot have had its outcome in this state. A read returns the state that it got. */
  apply(state: S): S | null;
  readonly isRead: boolean;
  /** Of a write that may never have happened: what it does, in the same words as its twins. No step comes after it. */
  readonly optional: string | null;
  /** Indexes of the steps that come before it in every explanation. */
  readonly after: readonly number[];
}
