import { createHash } from 'node:crypto';
import type { SessionToken } from '#gateway/pipeline/store-port.ts';

const ROWS = 65_536;

export interface SessionTokens {
  /** Notes the token of a reply (`<range>:<token>`) as the partition's last; returns it as the client carries it. */
  note(pk: string, header: string): readonly SessionToken[];
  /** What a read of the partition sends: per range the newer of the client's token and the last seen here. */
  forRead(pk: string, client: readonly SessionToken[]): string | undefined;
  /** Forgets every token: those of a container that is gone would never be reached by its successor. */
  forget(): void;
}

/**
 * The last session token per partition seen by this process, in a fixed table by hash of the partition key: two
 * partitions that share a row only make a read wait for a newer state than it needs.
 */
export function createSessionTokens(names: { readonly account: string; readonly container: string }): SessionTokens {
  const rows: (string | undefined)[] = new Array(ROWS);
  return {
    note(pk, header) {
      rows[rowOf(pk)] = header;
      return splitHeader(header).map(([range, token]) => ({ ...names, range, token }));
    },
    forRead(pk, client) {
      const newest = new Map<string, string>(splitHeader(rows[rowOf(pk)] ?? ''));
      for (const { account, container, range, token } of client) {
        if (account !== names.account || container !== names.container) continue;
        const known = newest.get(range);
        if (known === undefined || sequenceOf(token) > sequenceOf(known)) newest.set(range, token);
      }
      const sent = [...newest].map(([range, token]) => `${range}:${token}`);
      return sent.length === 0 ? undefined : sent.join(',');
    },
    forget() {
      rows.fill(undefined);
    },
  };
}

/** The tokens of two replies, the later one winning where both name a range. */
export function mergeSessions(
  earlier: readonly SessionToken[],
  later: readonly SessionToken[],
): readonly SessionToken[] {
  const isReplaced = (one: SessionToken) =>
    later.some(
      (other) => other.account === one.account && other.container === one.container && other.range === one.range,
    );
  return [...earlier.filter((one) => !isReplaced(one)), ...later];
}

function rowOf(pk: string): number {
  return createHash('sha256').update(pk).digest().readUInt16BE(0);
}

function splitHeader(header: string): [string, string][] {
  return header
    .split(',')
    .filter((part) => part.includes(':'))
    .map((part) => [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)]);
}

/** The global sequence number: the whole of a simple token, the second part of `<version>#<global>#<region>=<local>…`. */
function sequenceOf(token: string): number {
  const parts = token.split('#');
  const sequence = Number(parts[1] ?? parts[0]);
  return Number.isFinite(sequence) ? sequence : 0;
}
