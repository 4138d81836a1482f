/** A reply that says no, with the names that the SDK gives its errors' numbers: `faultOf` reads both. */
export class RefusedReply extends Error {
  readonly code: number;
  readonly substatus: number;
  readonly retryAfterInMs: number | null;

  constructor(code: number, substatus = 0, retryAfterInMs: number | null = null) {
    super(`A read was answered ${code}.`);
    this.name = 'RefusedReply';
    this.code = code;
    this.substatus = substatus;
    this.retryAfterInMs = retryAfterInMs;
  }
}
