import type { ObjectKey, SessionToken } from './store-port.ts';

/** How far a read got: session tokens of the store as text, ASCII; empty when nothing is known. */
export type Progress = string;

/** What was read, as far as it says whom it may be shown. */
export interface Filled {
  readonly progress: Progress;
  /** When the read began, by the clock of `covers`. */
  readonly atMs: number;
  /** The ranges of `progress` are those that the read was answered from, not those that it would have been content with. */
  readonly isExact: boolean;
}

/** What the store knows of the age of things, for whoever keeps them beside it. */
export interface FreshnessPort {
  /** The partition of an object and its edges. */
  partitionOf(key: ObjectKey): string;
  /** Where the partition's state is looked up. */
  rowOf(pk: string): number;
  /** A number that differs after any write by this process; null while one is under way or may still arrive. */
  stateOf(row: number): number | null;
  /** What a session read that began now would not be older than. */
  leastOf(pk: string, client: readonly SessionToken[]): Progress;
  /**
   * How far a reply says that its read got; no farther than `least` in the ranges that it came from, when one is given: of
   * several reads behind a reply only the last one tells.
   */
  progressOf(session: readonly SessionToken[], least: Progress | null): Progress;
  /** Whether what was read is as new as the client's session asks for. */
  covers(filled: Filled, client: readonly SessionToken[], nowMs: number): boolean;
  /** What a client carries on that was shown it. */
  tokensOf(progress: Progress): readonly SessionToken[];
}
