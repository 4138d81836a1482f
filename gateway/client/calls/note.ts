import type { ErrorCode } from '#gateway/client/habitat-error.ts';

/** One request to a gateway, with all its attempts. */
export interface RequestNote {
  /** `object.get`, or `batch`. */
  readonly operation: string;
  /** What it carried: one for a call, up to 100 for a batch. */
  readonly parts: readonly Part[];
  readonly attempts: number;
  /** Of all attempts that said; null when none did. */
  readonly ru: number | null;
  /** The region that served it, or what else the gateway says; null when no reply came. */
  readonly servedFrom: string | null;
  /** `r12` */
  readonly release: string | null;
  /** Of the last reply; the console knows it by this. */
  readonly requestId: string | null;
  readonly endpoint: string;
  readonly code: ErrorCode | null;
  /** Deprecated types that it used, as `Habitat-Deprecated` says. */
  readonly deprecated: string | null;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export interface Part {
  /** `edge.list` */
  readonly operation: string;
  /** The object or edge type. */
  readonly about: string;
}

/** Hears of each request when it is over. What it throws is the caller's own fault and reaches the caller. */
export type OnRequest = (note: RequestNote) => void;
