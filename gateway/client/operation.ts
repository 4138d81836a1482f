import type { Answer } from './calls/answer.ts';
import type { ErrorCode } from './habitat-error.ts';
import type { HttpRequest } from './transport/exchange.ts';

export type OperationName =
  | 'object.get'
  | 'object.put'
  | 'object.create'
  | 'object.delete'
  | 'edge.get'
  | 'edge.put'
  | 'edge.delete'
  | 'edge.changeType'
  | 'edge.count'
  | 'edge.list';

/** One operation that is not sent yet: alone, or in a batch. `R` is what it answers. */
export interface Operation<R> {
  readonly name: OperationName;
  readonly isRead: boolean;
  /** The object or edge type, for bills. */
  readonly about: string;
  /** By itself; the path is below the tenant's. */
  toHttp(): HttpRequest;
  /** As one of a batch. */
  toFields(): Readonly<Record<string, unknown>>;
  read(answer: Answer): R;
  /** Refusals that are answers: there is nothing, or a precondition does not hold. */
  readonly answers: Partial<Readonly<Record<ErrorCode, R>>>;
}

/** What became of one operation of a batch. */
export type Settled<R, E> = { readonly ok: true; readonly value: R } | { readonly ok: false; readonly error: E };

export type ResultOf<O> = O extends Operation<infer R> ? R : never;
