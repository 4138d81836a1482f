/**
 * Acts of people that the log keeps and does not show unless `did:` asks for them: reading the log, and saves of drafts.
 * Hundreds of them lie between two rows that somebody looks for.
 */
export const QUIET_ACTS = ['read', 'edited'] as const;
