import { z } from 'zod';
import { Person } from './people.ts';
import { SCOPES, Scope } from './scopes.ts';

/** How every token of the console's API begins, so that secret scanners find one. */
export const TOKEN_PREFIX = 'hbt_';
/** `hbt_`, 12 characters of id, 32 of secret, 6 of checksum (CRC-32 of what stands before it, base 62). */
export const TOKEN_PATTERN = /^hbt_[A-Za-z0-9]{50}$/;

export const DEFAULT_TOKEN_DAYS = 90;
export const MAX_TOKEN_DAYS = 365;

export const TokenRow = z.object({
  id: z.string(),
  name: z.string(),
  /** Null: it acts for the person who made it. Else for this team's CI. */
  team: z.string().nullable(),
  scopes: z.array(Scope),
  createdAtMs: z.int(),
  createdBy: Person,
  expiresAtMs: z.int(),
  revokedAtMs: z.int().nullable(),
  revokedBy: Person.nullable(),
  revokeReason: z.string().nullable(),
  lastUsedMs: z.int().nullable(),
});
export type TokenRow = z.infer<typeof TokenRow>;

/** GET /api/tokens: one's own and those of one's teams' CI; an admin sees all. */
export const Tokens = z.object({
  tokens: z.array(TokenRow),
  /** Teams for whose CI the asker may make one. */
  teams: z.array(z.string()),
});
export type Tokens = z.infer<typeof Tokens>;

/** POST /api/tokens */
export const CreateToken = z.strictObject({
  name: z.string().trim().min(1, 'Say where it is used.').max(80, 'At most 80 characters.'),
  team: z.string().max(48).nullable().default(null),
  scopes: z.array(Scope).min(1, 'Choose at least one.').max(SCOPES.length),
  expiresInDays: z.int().min(1).max(MAX_TOKEN_DAYS, 'A token works for at most a year.').default(DEFAULT_TOKEN_DAYS),
});
/** The secret is shown this once. */
export const CreatedToken = z.object({ token: TokenRow, secret: z.string() });
/** POST /api/tokens/{id}/revoke: bites at its next request. Revoking twice changes nothing. */
export const RevokeToken = z.strictObject({
  reason: z.string().trim().min(3, 'Say why, in three characters or more.').max(500),
});
