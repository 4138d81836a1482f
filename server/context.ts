import 'server-only';
import type { Person, Role } from '#server/contract/people.ts';
import type { Scope } from '#server/contract/scopes.ts';
import type { Database } from '#server/db/client.ts';
import type { Listener } from '#server/db/listen.ts';
import type { ConsoleEnv } from '#server/env.ts';
import type { Signer } from '#server/publication/signer.ts';

/** Who asks, with the rights of this moment: they are read again at every request. */
export interface Actor extends Person {
  readonly email: string;
  readonly roles: readonly Role[];
  /** Names of the teams the person belongs to. */
  readonly teams: readonly string[];
  /** The token they came with; absent with a session. */
  readonly token?: ActorToken;
}

/** A token of the API as far as verbs and records need it. */
export interface ActorToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number;
}

/** What every verb gets as its first argument. */
export interface Ctx {
  readonly actor: Actor;
  readonly requestId: string;
  readonly db: Database;
  /** The time of the request, epoch milliseconds. A verb reads no other clock. */
  readonly nowMs: number;
  /** Signs releases. */
  readonly signer: Signer;
  readonly env: ConsoleEnv;
  /** Hears what every process of the console changes. */
  readonly listener: Listener;
  /** Aborted when the browser hangs up. */
  readonly signal: AbortSignal;
}

/** An actor as named in records. */
export function personOf(actor: Actor): Person {
  return { id: actor.id, name: actor.name };
}
