import type { Scope } from '#server/contract/scopes.ts';

/** What each scope lets a token do, in one sentence. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'definitions:read': 'Reads definitions, changes, releases and gateways; checks drafts.',
  'changes:write': 'Opens and edits changes and sends them to review.',
  'changes:publish': 'Publishes changes that are approved.',
  'traffic:read': 'Reads requests and latency of the tenants you may see.',
  'audit:read': 'Reads the audit log as far as you may.',
};
