import type { ServerErrorCode } from './errors.ts';

interface ServerErrorOptions {
  /** What the person who asked reads: what happened and what to do. */
  readonly publicMessage: string;
  /** For operators' logs only. */
  readonly detail?: string;
  /** JSON path of the input to what is wrong there. */
  readonly fields?: Readonly<Record<string, string>>;
  /** How long to wait before the next try, for the header Retry-After. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** A refusal of a console verb. `server/http` turns it into a reply; nothing else catches it. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: ServerErrorCode;
  readonly publicMessage: string;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ServerErrorCode, options: ServerErrorOptions) {
    super(options.detail ?? options.publicMessage, { cause: options.cause });
    this.code = code;
    this.publicMessage = options.publicMessage;
    this.fields = options.fields;
    this.retryAfterMs = options.retryAfterMs;
  }
}
