'use client';

import { useId } from 'react';

/** One-sentence definitions of Habitat's nouns. */
const DEFINITIONS = {
  tenant: 'An isolated customer of the platform: data, keys, quotas and charts belong to one tenant.',
  team: 'People; owns tenants, types and policies.',
  principal: 'An identity that calls the gateway. It belongs to a tenant and has groups and an actor kind.',
  role: 'A right in the console: engineer, security, operator, auditor, admin or viewer.',
  object: 'A tenant, a type and an id, with content that Habitat does not interpret.',
  edge: 'A directed link from one object to another, with a time and a little data.',
  definition: 'A versioned document: object type, edge type, policy, tenant or principal.',
  change: 'A set of edits to definitions: draft, in review, approved, published.',
  finding: 'One result of checking a change. An error blocks it, a warning needs a look.',
  release: 'An immutable, numbered, signed snapshot of all definitions, compiled for gateways.',
  gateway: 'One running process that enforces a release on every request.',
  target: 'The newest published release. Each gateway serves one.',
  decision: 'What policy says about one request: allow or deny, and which policy decided.',
  RU: 'Cosmos request units, the price of an operation.',
} as const;

export type TermName = keyof typeof DEFINITIONS;

/** A noun that explains itself in one sentence on focus and hover. */
export function Term({ name, children }: { readonly name: TermName; readonly children?: React.ReactNode }) {
  const id = useId();
  return (
    <span className="tip-scope">
      <button
        type="button"
        aria-describedby={id}
        className="cursor-help rounded-cell border-ink-3 border-b border-dotted"
      >
        {children ?? name}
      </button>
      <span id={id} role="tooltip" className="tip">
        {DEFINITIONS[name]}
      </span>
    </span>
  );
}
