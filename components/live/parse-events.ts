/** What one read of the stream brought: the data of whole events. Comment lines (pings) bring none. */
export interface EventBatch {
  readonly data: readonly string[];
  /** The unfinished rest, to put before the next read. */
  readonly rest: string;
}

/** Splits text of a server-sent event stream into the data of whole events (WHATWG HTML, section 9.2.6). */
export function parseEvents(text: string): EventBatch {
  const blocks = text.replace(/\r\n?/g, '\n').split('\n\n');
  const rest = blocks.pop() ?? '';
  const data = blocks.map(dataOf).filter((found) => found !== '');
  return { data, rest };
}

function dataOf(block: string): string {
  return block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');
}
