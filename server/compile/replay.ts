import { ACTIONS, type Action } from '#gateway/contract/actions.ts';
import { answer, type Cause, type DecidedState } from './answer.ts';
import { createDecider } from './decide.ts';
import type { KeptCalls, Sample, TrafficEvidence, Use } from './evidence.ts';
import type { CheckResult } from './model.ts';

/** Requests of one principal on one type that would come out otherwise. */
export interface Shift {
  readonly use: Pick<Use, 'tenant' | 'principal' | 'type'>;
  readonly cause: Cause;
  readonly actions: readonly Action[];
  readonly requests: number;
  /** `all`: every request counted; `about`: by the share of the kept ones; `up to`: none was kept to tell. */
  readonly exactness: 'all' | 'about' | 'up to';
  readonly sample: Sample | null;
  /** The policies that decide now, or decided before. */
  readonly policies: readonly string[];
}

export interface Replay {
  readonly refused: readonly Shift[];
  readonly allowed: readonly Shift[];
  /** Pairs of principal and type that were decided anew. */
  readonly replayed: number;
}

/** Decides recorded use anew: what was let in and would be refused, and what was refused and would be let in. */
export function replay({ before, after }: Pick<CheckResult, 'before' | 'after'>, evidence: TrafficEvidence): Replay {
  const sides = {
    before: { ...before, decider: createDecider('before', before.policies) },
    after: { ...after, decider: createDecider('after', after.policies) },
  };
  const kept = Map.groupBy(evidence.kept, pairOf);
  return {
    refused: evidence.uses.flatMap((use) => lossOf(use, kept.get(pairOf(use)) ?? [], sides)),
    allowed: [...kept.values()].flatMap((calls) => gainOf(calls, sides)),
    replayed: new Set([...evidence.uses, ...evidence.kept].map(pairOf)).size,
  };
}

interface Sides {
  readonly before: DecidedState;
  readonly after: DecidedState;
}

function lossOf(use: Use, calls: readonly KeptCalls[], { before, after }: Sides): readonly Shift[] {
  const isEdge = /^[a-z]/.test(use.type);
  const possible = ACTIONS.filter((action) => action.startsWith('edge.') === isEdge);
  const lost = possible
    .map((action) => ({ action, was: answer(before, use, action), is: answer(after, use, action) }))
    .filter(({ was, is }) => was.isServed && !is.isServed);
  const first = lost[0];
  if (first === undefined) return [];
  const served = calls.filter(({ wasForbidden }) => !wasForbidden);
  const seen = new Set(served.map(({ action }) => action));
  const hit = served.filter(({ action }) => lost.some((one) => one.action === action));
  // A loss of what it never did is none to this caller.
  if (served.length > 0 && hit.length === 0) return [];
  const actions = lost.map(({ action }) => action).filter((action) => served.length === 0 || seen.has(action));
  const policies = [...new Set(lost.flatMap(({ was, is }) => (is.policies.length > 0 ? is.policies : was.policies)))];
  const common = { use, cause: first.is.cause, actions, policies, sample: hit[0]?.newest ?? null };
  const wasAll = possible.every((action) => !answer(before, use, action).isServed || isLost(lost, action));
  if (wasAll) return [{ ...common, requests: use.requests, exactness: 'all' }];
  if (served.length === 0) return [{ ...common, requests: use.requests, exactness: 'up to' }];
  const share = countOf(hit) / countOf(served);
  return [{ ...common, requests: Math.max(1, Math.round(use.requests * share)), exactness: 'about' }];
}

function isLost(lost: readonly { readonly action: Action }[], action: Action): boolean {
  return lost.some((one) => one.action === action);
}

function gainOf(calls: readonly KeptCalls[], { before, after }: Sides): readonly Shift[] {
  const gained = calls
    .filter(({ wasForbidden }) => wasForbidden)
    .map((call) => ({ call, was: answer(before, call, call.action), is: answer(after, call, call.action) }))
    .filter(({ was, is }) => !was.isServed && is.isServed);
  const first = gained[0];
  if (first === undefined) return [];
  return [
    {
      use: first.call,
      cause: 'policy',
      // Several operations ask for one action: counting and listing both read.
      actions: [...new Set(gained.map(({ call }) => call.action))],
      requests: countOf(gained.map(({ call }) => call)),
      exactness: 'all',
      sample: first.call.newest,
      policies: [...new Set(gained.flatMap(({ is }) => is.policies))],
    },
  ];
}

function pairOf({ tenant, principal, type }: Shift['use']): string {
  return `${tenant} ${principal} ${type}`;
}

function countOf(calls: readonly KeptCalls[]): number {
  return calls.reduce((sum, { count }) => sum + count, 0);
}
