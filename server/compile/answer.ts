import type { Action } from '#gateway/contract/actions.ts';
import { typeNamed } from './access-groups.ts';
import { type Decider, resourceOf, subjectOf } from './decide.ts';
import type { State } from './model.ts';

/** Why a request is refused before it reaches the store. */
export type Cause = 'policy' | 'type removed' | 'type deprecated' | 'tenant removed' | 'principal gone';

/** One state of the definitions with the decisions under it. */
export interface DecidedState extends State {
  readonly decider: Decider;
}

export interface Answer {
  readonly isServed: boolean;
  readonly cause: Cause;
  readonly policies: readonly string[];
  /** Of policy alone, for a call from no region and without break-glass, as all are now. */
  readonly isPermitted: boolean;
}

/** How a gateway would answer such a request under one state. What depends on the context counts as served. */
export function answer(
  state: DecidedState,
  { tenant, principal, type }: { readonly tenant: string; readonly principal: string; readonly type: string },
  action: Action,
): Answer {
  const refused = (cause: Cause): Answer => ({ isServed: false, isPermitted: false, cause, policies: [] });
  const { catalog } = state;
  const caller = catalog.principal.get(principal);
  const subject = caller === undefined || caller.document.disabled ? null : subjectOf(caller, catalog);
  if (subject === null) return refused('principal gone');
  if (!catalog.tenant.has(tenant)) return refused('tenant removed');
  const definition = typeNamed(catalog, type);
  if (definition === undefined) return refused('type removed');
  if (definition.document.lifecycle?.state === 'deprecated-error') return refused('type deprecated');
  const { outcome, plain, policies } = state.decider.decide(subject, action, {
    resource: resourceOf(definition, catalog),
    tenant,
  });
  return { isServed: outcome !== 'deny', isPermitted: plain === 'allow', cause: 'policy', policies };
}
