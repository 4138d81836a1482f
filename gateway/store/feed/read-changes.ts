import { ChangeFeedStartFrom, type Container, ErrorResponse } from '@azure/cosmos';
import { z } from 'zod';
import type { Denial } from '#gateway/pipeline/denial.ts';
import type { StoreMeter } from '#gateway/pipeline/store-port.ts';
import { denialOf } from '#gateway/store/errors.ts';
import { BrokenAttempt } from '#gateway/store/http/broken-attempt.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { feedRangeOf, type KeySpan } from './ranges.ts';

const PAGE_ITEMS = 1_000;
const READ_TIMEOUT_MS = 5_000;

/** Every item has these; Cosmos adds `_ts`, in seconds. */
const FeedItem = z.looseObject({ id: z.string(), pk: z.string(), _ts: z.int() });
export type FeedItem = z.infer<typeof FeedItem>;

export interface ItemPage {
  readonly kind: 'items';
  readonly items: readonly FeedItem[];
  readonly position: string;
  readonly isEnd: boolean;
}

export interface ItemReader {
  read(): Promise<ItemPage | Denial>;
}

export interface FeedStart {
  readonly span: KeySpan;
  /** Null from the beginning. */
  readonly position: string | null;
  readonly meter: StoreMeter;
}

type Iterator = ReturnType<Container['items']['getChangeFeedIterator']>;

/**
 * Items of a span of partition keys at their newest state, in the order in which each was last written. Read where writes
 * go, by one iterator for as long as it works, since a new one reads the container's definition first.
 */
export function readItems(parts: StoreParts, start: FeedStart): ItemReader {
  let position = start.position;
  let open: { readonly container: Container; readonly iterator: Iterator } | null = null;

  async function iteratorOver(container: Container): Promise<Iterator> {
    if (open?.container === container) return open.iterator;
    const from =
      position === null
        ? ChangeFeedStartFrom.Beginning(await feedRangeOf(container, start.span))
        : ChangeFeedStartFrom.Continuation(position);
    const iterator = container.items.getChangeFeedIterator({ changeFeedStartFrom: from, maxItemCount: PAGE_ITEMS });
    open = { container, iterator };
    return iterator;
  }

  async function readPage(container: Container) {
    try {
      const response = await (await iteratorOver(container)).readNext();
      return { status: response.statusCode, items: response.result, position: response.continuationToken };
    } catch (error) {
      open = null;
      // The container was made anew, so what this position was about is gone.
      if (isOfAnotherContainer(error)) position = null;
      throw readable(error);
    }
  }

  return {
    async read() {
      const call = { meter: start.meter, session: [] };
      const read = await parts.account.write(call, { pk: null, timeoutMs: READ_TIMEOUT_MS }, readPage);
      if (read.kind === 'fault') {
        // An attempt that was cut off may have moved the iterator on.
        open = null;
        return denialOf(read.fault);
      }
      position = read.value.position;
      const items = z.array(FeedItem).parse(read.value.items);
      return { kind: 'items', items, position, isEnd: read.value.status === 304 };
    },
  };
}

function isOfAnotherContainer(error: unknown): boolean {
  return (
    error instanceof ErrorResponse && error.message.includes('continuation token is not for the current container')
  );
}

/** The SDK's feed hands on code and headers of a refusal alone, and of a broken attempt nothing but its message. */
function readable(error: unknown): unknown {
  if (!(error instanceof ErrorResponse)) return error;
  if (typeof error.code !== 'number') return new BrokenAttempt(error.message, true);
  const subStatus = Number(error.headers?.['x-ms-substatus']);
  const waitMs = Number(error.headers?.['x-ms-retry-after-ms']);
  if (Number.isFinite(subStatus)) error.substatus ??= subStatus;
  if (Number.isFinite(waitMs)) error.retryAfterInMs ??= waitMs;
  return error;
}
