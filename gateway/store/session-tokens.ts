import type { SessionToken } from '#gateway/pipeline/store-port.ts';
import { openSessionRows, SESSION_ROW_LENGTH } from './session-rows.ts';
import { rowOf } from './write-marks.ts';

export interface SessionTokens {
  /** Whose tokens these are. */
  readonly names: Pick<SessionToken, 'account' | 'container'>;
  /** Those of a client's tokens that are about this account and container. */
  ownOf(session: readonly SessionToken[]): readonly SessionToken[];
  /**
   * Notes the token of a reply (`<range>:<token>`) unless a newer one is known: a region that lags must not take back
   * what a write left. Returns the newer of it and the client's, as the client carries it.
   */
  note(pk: string, header: string, client: readonly SessionToken[]): readonly SessionToken[];
  /** What a read of the partition sends: per range the newer of the client's token and the last seen here. */
  forRead(pk: string, client: readonly SessionToken[]): string | undefined;
  /** Forgets every token: those of a container that is gone would never be reached by its successor. */
  forget(): void;
}

/** Ranges whose tokens one row keeps: those of partitions that share it, and of a range before it was split. */
const MOST_RANGES = 4;

/**
 * The newest session token per partition that any worker of this process saw (T9: whichever worker answers), in a fixed
 * table by hash of the partition key: two partitions that share a row only make a read wait for a newer state than it needs.
 */
export function createSessionTokens(names: SessionTokens['names'], shared: SharedArrayBuffer): SessionTokens {
  const rows = openSessionRows(shared);
  const ownOf = (client: readonly SessionToken[]) =>
    client.filter(({ account, container }) => account === names.account && container === names.container);
  return {
    names,
    ownOf,
    note(pk, header, client) {
      const row = rowOf(pk);
      const known = rows.read(row);
      // Most replies bring the token that is known; then nothing is written.
      if (joinNewest(header, known) !== known) rows.update(row, (text) => joinNewest(header, text));
      const own = client.length === 0 ? client : ownOf(client);
      return splitHeader(header).map(([range, token]) => {
        const carried = own.find((one) => one.range === range)?.token;
        return { ...names, range, token: carried === undefined ? token : newerOf(token, carried) };
      });
    },
    forRead(pk, client) {
      if (client.length === 0) return rows.read(rowOf(pk)) || undefined;
      const carried = ownOf(client).map(({ range, token }) => `${range}:${token}`);
      const sent = newestByRange([rows.read(rowOf(pk)), ...carried]);
      return sent.length === 0 ? undefined : sent.join(',');
    },
    forget: () => rows.clear(),
  };
}

/** The tokens of two replies, the newer one where both name a range; ranges that the later one names come last. */
export function mergeSessions(
  earlier: readonly SessionToken[],
  later: readonly SessionToken[],
): readonly SessionToken[] {
  // Most replies bring one token to a caller who carries none, or none.
  if (earlier.length === 0 && later.length <= 1) return later;
  if (later.length === 0 && earlier.length <= 1) return earlier;
  const merged = new Map<string, SessionToken>();
  for (const one of [...earlier, ...later]) {
    const place = `${one.account}\n${one.container}\n${one.range}`;
    const other = merged.get(place);
    merged.delete(place);
    merged.set(place, other === undefined ? one : { ...one, token: newerOf(one.token, other.token) });
  }
  return [...merged.values()];
}

/** A row's text after a reply: the reply's ranges first, as many as there is room for. */
function joinNewest(header: string, known: string): string {
  if (header === known) return known;
  const joined = newestByRange([header, known]).slice(0, MOST_RANGES);
  while (joined.length > 1 && joined.join(',').length > SESSION_ROW_LENGTH) joined.pop();
  const text = joined.join(',');
  if (text.length <= SESSION_ROW_LENGTH) return text;
  // The progress of single regions can be left out; version and global number are what a read waits for.
  return text.split('#').slice(0, 2).join('#');
}

function newestByRange(headers: readonly string[]): string[] {
  const newest = new Map<string, string>();
  for (const [range, token] of headers.flatMap(splitHeader)) {
    const other = newest.get(range);
    newest.set(range, other === undefined ? token : newerOf(token, other));
  }
  return [...newest].map(([range, token]) => `${range}:${token}`);
}

/** The tokens of a header by range. */
export function splitHeader(header: string): [string, string][] {
  return header
    .split(',')
    .filter((part) => part.includes(':'))
    .map((part) => [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)]);
}

function newerOf(a: string, b: string): string {
  return isNewer(a, b) ? a : b;
}

/** Whether a token of a range is ahead of another one. */
export function isNewer(a: string, b: string): boolean {
  const [versionA, sequenceA] = placeOf(a);
  const [versionB, sequenceB] = placeOf(b);
  return versionA === versionB ? sequenceA > sequenceB : versionA > versionB;
}

/**
 * Version of the account's topology and global sequence number of `<version>#<global>#<region>=<local>…`; a simple token is
 * the number alone. A failover raises the version and may take back numbers that were lost with a region.
 */
function placeOf(token: string): readonly [number, number] {
  const [first = '', second] = token.split('#');
  const numbers = second === undefined ? [0, Number(first)] : [Number(first), Number(second)];
  const [version = 0, sequence = 0] = numbers.map((value) => (Number.isFinite(value) ? value : 0));
  return [version, sequence];
}
