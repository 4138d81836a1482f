import 'server-only';
import type { DecidedState } from '#server/compile/answer.ts';
import { createDecider } from '#server/compile/decide.ts';
import { isCallPermitted, judgeCall, type Verdict } from '#server/compile/denied-by.ts';
import type { State } from '#server/compile/model.ts';
import type { DefinitionHistory } from './definition-history.ts';
import type { KeptRefusal } from './refused-calls.ts';

/** Releases after the judged one whose definitions are looked at. */
const MAX_TURNS = 20;
/** Releases whose verdicts are remembered. */
const MAX_REMEMBERED = 8;

export interface JudgedRelease {
  readonly number: number;
  readonly sha256: string;
  /** What gateways served before. */
  readonly base: number;
  /** The newest release. */
  readonly newest: number;
}

export interface Denied {
  readonly call: KeptRefusal;
  readonly permittedBy: readonly string[];
  /** The release that permits it again. */
  readonly until: number | null;
}

export interface JudgedRefusals {
  readonly denied: readonly Denied[];
  readonly refusedBefore: number;
  /** Refusals of later releases than this were not looked at. */
  readonly through: number;
  readonly history: DefinitionHistory;
}

/**
 * Which refused calls the release is the cause of: permitted under what gateways served before, refused under the release, and
 * under each since. A later release that permits a call ends it. Synchronous, since deciders share their slots.
 */
export function judgeRefusals(
  release: JudgedRelease,
  calls: readonly KeptRefusal[],
  history: DefinitionHistory,
): JudgedRefusals {
  const verdicts = verdictsOf(release, calls, history);
  const found = calls.flatMap((call, at) => {
    const verdict = verdicts[at];
    return verdict?.kind === 'denied' ? [{ call, permittedBy: verdict.permittedBy }] : [];
  });
  const later = history.turns.filter((turn) => turn > release.number);
  const beyond = later[MAX_TURNS];
  const ends = endsOf(
    found.map(({ call }) => call),
    later.slice(0, MAX_TURNS),
    history,
  );
  return {
    denied: found.map((one) => ({ ...one, until: ends.get(one.call) ?? null })),
    refusedBefore: verdicts.filter(({ kind }) => kind === 'before').length,
    through: beyond === undefined ? release.newest : beyond - 1,
    history,
  };
}

/** Verdicts are of two signed releases, so they never change; pages ask for them again every few seconds. */
const remembered = new Map<string, Map<string, Verdict>>();

function verdictsOf(
  { sha256, number, base }: JudgedRelease,
  calls: readonly KeptRefusal[],
  history: DefinitionHistory,
): readonly Verdict[] {
  const key = `${sha256} ${base}`;
  const known = remembered.get(key) ?? new Map<string, Verdict>();
  remembered.delete(key);
  remembered.set(key, known);
  for (const oldest of remembered.keys()) if (remembered.size > MAX_REMEMBERED) remembered.delete(oldest);
  let states: { readonly before: DecidedState; readonly after: DecidedState } | null = null;
  return calls.map((call) => {
    const id = JSON.stringify([call.tenant, call.principal, call.operation, call.type, call.edgeType]);
    const old = known.get(id);
    if (old !== undefined) return old;
    states ??= { before: decided('before', history.at(base)), after: decided('after', history.at(number)) };
    const verdict = judgeCall(states.before, states.after, call);
    known.set(id, verdict);
    return verdict;
  });
}

/** The first of some releases under which each call is permitted. */
function endsOf(
  calls: readonly KeptRefusal[],
  turns: readonly number[],
  history: DefinitionHistory,
): ReadonlyMap<KeptRefusal, number> {
  const ends = new Map<KeptRefusal, number>();
  for (const turn of turns) {
    const open = calls.filter((call) => !ends.has(call));
    if (open.length === 0) break;
    const state = decided('after', history.at(turn));
    for (const call of open) if (isCallPermitted(state, call)) ends.set(call, turn);
  }
  return ends;
}

function decided(slot: 'before' | 'after', state: State): DecidedState {
  return { ...state, decider: createDecider(slot, state.policies) };
}
