import type { ReviewKind, ReviewMode, Role } from '#server/contract/people.ts';

/** What each role may do, in one sentence. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  engineer: "Edits and reviews the team's types; makes keys for its principals.",
  security: 'Reviews policies and principals; reads all traffic and the whole audit log.',
  operator: 'Reviews tenants and quotas; reads all traffic; acts on gateways and releases.',
  auditor: 'Reads everything, the whole audit log included; changes nothing.',
  admin: 'Sets roles, review and groups; approves where only the author could.',
  viewer: 'Reads definitions, changes and releases.',
};

/** Kinds of definitions that are reviewed alike. */
export const REVIEW_KIND_WORDS: Readonly<Record<ReviewKind, string>> = {
  types: 'Types',
  access: 'Policies and principals',
  quotas: 'Tenants and quotas',
};

/** What each way of review means. */
export const REVIEW_WORDS: Readonly<Record<ReviewMode, string>> = {
  'second person': 'Somebody other than the author approves.',
  'self with reason':
    'The author may approve with a reason; the timeline, the release and the audit row say self-approved.',
  off: 'No approval is asked; whoever wrote a change publishes it.',
};
