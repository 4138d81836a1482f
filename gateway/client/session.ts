/** What gateways take at once. Of more calls side by side, those that were answered first are not carried on. */
const MOST_TOKENS = 8;
const MOST_CHARS = 8_000;

/**
 * What one reader has seen: a read that carries it sees at least that, through whichever gateway. A client carries one by
 * itself. To give each user of a service their own, make one and hand it to `client.with({ session })`.
 */
export interface Session {
  /** To keep it, say in a cookie: sealed by the gateways, of no use to anybody else. */
  toString(): string;
  /** The value that a request carries, null when there is nothing to carry yet. */
  header(): string | null;
  /** `reply` covers what the request carried, and what it saw. */
  note(carried: string | null, reply: string): void;
  /** Drops everything: gateways do not know it any more, as after their secret was changed twice. */
  forget(): void;
}

/** A session with nothing in it, or what an earlier one was kept as. */
export function createSession(kept = ''): Session {
  let tokens: readonly string[] = split(kept);
  return {
    toString: () => tokens.join(','),
    header: () => (tokens.length === 0 ? null : tokens.join(',')),
    note(carried, reply) {
      const covered = split(carried ?? '');
      // Calls side by side each come back with their own: all are carried until one reply covers them.
      const others = tokens.filter((token) => !covered.includes(token) && token !== reply);
      tokens = [...others, reply].slice(-MOST_TOKENS);
      while (tokens.join(',').length > MOST_CHARS) tokens = tokens.slice(1);
    },
    forget() {
      tokens = [];
    },
  };
}

function split(text: string): readonly string[] {
  return text.split(',').filter((token) => token !== '');
}
