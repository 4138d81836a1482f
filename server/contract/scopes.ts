import { z } from 'zod';

/**
 * What a token may do, each no more than whoever it acts for may do at that moment. Reviews, keys, settings and tokens
 * themselves are left out on purpose: they take a person at a page.
 */
export const SCOPES = ['definitions:read', 'changes:write', 'changes:publish', 'traffic:read', 'audit:read'] as const;
export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;
