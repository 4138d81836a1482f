import type { ErrorCode } from '#gateway/contract/errors.ts';
import type { Operation } from '#gateway/contract/telemetry.ts';

/**
 * A request refused or failed, as a value: refusals are returned, never thrown, since a 429 storm must stay cheap.
 * `message` is what the client reads; it names types and limits, never content, keys or other tenants.
 */
export interface Denial {
  readonly kind: 'denial';
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterMs?: number;
  /** Name of the policy that decided, when one did. */
  readonly policy?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Of the things that the request does, the one that policy refused. The audit names it; callers read the message. */
  readonly about?: { readonly operation: Operation; readonly edgeType: string | null; readonly toId: string | null };
}

type Extra = Pick<Denial, 'retryAfterMs' | 'policy' | 'details' | 'about'>;

/** Makes a denial of the one table's code. */
export function deny(code: ErrorCode, message: string, extra: Extra = {}): Denial {
  return { kind: 'denial', code, message, ...extra };
}

/** A refusal that says which operation of a commit it is about. */
export function denyOperation(operation: number, denial: Denial): Denial {
  return { ...denial, details: { ...denial.details, operation } };
}

/** Whether a stage's product is a denial. */
export function isDenial(value: unknown): value is Denial {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'denial';
}
