import type { Action } from '#gateway/contract/actions.ts';

/** What a policy decides about. Content is opaque, so nothing here depends on an object. */
export interface PolicyQuestion {
  readonly principal: string;
  /** Tenant of the request, which may differ from the principal's own. */
  readonly tenant: string;
  readonly action: Action;
  /** Name of the object type, or of the edge type for edge actions. */
  readonly resource: string;
}

/** The decision, and the policies that made it: the permits of an allow, the forbids of a deny, none for a default deny. */
export interface PolicyAnswer {
  readonly decision: 'allow' | 'deny';
  readonly policies: readonly string[];
}

/** Key under which a decision is remembered; names have no `|`. */
export function decisionKey(question: PolicyQuestion): string {
  return `${question.principal}|${question.tenant}|${question.action}|${question.resource}`;
}
