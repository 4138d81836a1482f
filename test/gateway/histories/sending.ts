export interface Sending {
  readonly url: string;
  readonly token: string;
  /** Ids in Habitat of the run's objects and targets. */
  readonly from: string;
  readonly targetOf: (name: string) => string;
  readonly nameOf: (target: string) => string;
  readonly headers: Readonly<Record<string, string>>;
  /** As an operation of a batch, beside one that creates an object. */
  readonly isBatched: boolean;
}

/** A reply, or the result of an operation in a batch, as the single call would have got it. */
export interface Received {
  readonly isOk: boolean;
  readonly version: string;
  readonly text: string;
}
