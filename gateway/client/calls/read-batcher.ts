import type { HabitatError } from '#gateway/client/habitat-error.ts';
import type { Operation, Settled } from '#gateway/client/operation.ts';
import { callBatch, MOST_OPERATIONS } from './batch.ts';
import type { CallContext } from './call.ts';
import { perform } from './perform.ts';

/** Gathers reads that are made in one turn of the event loop. */
export interface ReadBatcher {
  join<R>(operation: Operation<R>): Promise<R>;
}

interface Joined {
  readonly operation: Operation<unknown>;
  readonly promise: Promise<unknown>;
  settle(outcome: Settled<unknown, unknown>): void;
}

/**
 * Reads of one turn go out together, up to 100 a batch; equal ones are asked once and share their answer. Each promise
 * settles by itself. One that its batch refused and that may be tried again goes on alone, within the retry budget.
 */
export function createReadBatcher(context: CallContext): ReadBatcher {
  let gathered = new Map<string, Joined>();

  function flush(): void {
    const all = [...gathered.values()];
    gathered = new Map();
    for (let from = 0; from < all.length; from += MOST_OPERATIONS) {
      void send(all.slice(from, from + MOST_OPERATIONS), context);
    }
  }

  return {
    join<R>(operation: Operation<R>): Promise<R> {
      const { path, headers } = operation.toHttp();
      const name = `${path} ${headers['if-none-match'] ?? ''}`;
      const known = gathered.get(name);
      if (known !== undefined) return known.promise as Promise<R>;
      // After all that is waiting in this turn already, so that what it wakes can join.
      if (gathered.size === 0) queueMicrotask(() => process.nextTick(flush));
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const settle: Joined['settle'] = (outcome) => (outcome.ok ? resolve(outcome.value) : reject(outcome.error));
      gathered.set(name, { operation, promise, settle });
      return promise as Promise<R>;
    },
  };
}

async function send(joined: readonly Joined[], context: CallContext): Promise<void> {
  const [only, ...others] = joined;
  if (only !== undefined && others.length === 0) return settleBy(only, perform(only.operation, context));
  const { now } = context.core;
  const endsAtMs = now() + context.options.deadlineMs;
  try {
    const results = await callBatch(
      joined.map(({ operation }) => operation),
      context,
      null,
    );
    for (const [index, one] of joined.entries()) {
      const result = results[index];
      if (result !== undefined) settleOne(one, result, { context, leftMs: endsAtMs - now() });
    }
  } catch (error) {
    for (const { settle } of joined) settle({ ok: false, error });
  }
}

interface Rest {
  readonly context: CallContext;
  /** What the batch left of the deadline. */
  readonly leftMs: number;
}

function settleOne(joined: Joined, result: Settled<unknown, HabitatError>, { context, leftMs }: Rest): void {
  if (result.ok || !result.error.retryable || leftMs <= 0) {
    joined.settle(result);
    return;
  }
  const options = { ...context.options, deadlineMs: leftMs };
  void settleBy(joined, perform(joined.operation, { ...context, options }, { earlier: result.error }));
}

async function settleBy({ settle }: Joined, performed: Promise<unknown>): Promise<void> {
  await performed.then(
    (value) => settle({ ok: true, value }),
    (error: unknown) => settle({ ok: false, error }),
  );
}
