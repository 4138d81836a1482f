import { type Action, type Entry, isWrite, type ObjectHistory, partsOf } from './history.ts';
import { applyAction, mayRefuse, NOTHING, type ObjectState, revisionOf } from './object-state.ts';

/** Codes of refusals that say nothing of what was there. */
const SILENT = ['store_unavailable'];
/** A version that nobody saw: equal to none, and neither older nor newer. */
const UNTOLD = Number.NaN;

/**
 * The definition of a right history and nothing else, for histories of few operations that have no home gateway: tries
 * every order of every choice of the unknown writes, each with every version that it may have left.
 */
export function isExplained(history: ObjectHistory): boolean {
  const entries = history.entries.filter(bearsWitness);
  const versions = versionsSeen(entries);

  function go(left: readonly Entry[], state: ObjectState, newest: ReadonlyMap<string, number>): boolean {
    if (left.every(({ outcome }) => outcome.kind === 'unknown')) return true;
    return left.some((entry) => {
      if (left.some((other) => other !== entry && comesBefore(other, entry))) return false;
      const others = left.filter((other) => other !== entry);
      return choicesOf(entry, versions).some((revisions) => {
        const next = after(state, entry, { history, revisions });
        const grown = next === null ? null : grow(newest, entry.action, revisions);
        return next !== null && grown !== null && go(others, next, grown);
      });
    });
  }
  return go(entries, NOTHING, new Map());
}

function bearsWitness({ action, outcome }: Entry): boolean {
  if (outcome.kind === 'refused') return isWrite(action) && !SILENT.includes(outcome.code);
  return outcome.kind === 'done' || isWrite(action);
}

/** Only what was told orders; a lagging read has no moment, and one that carries a session follows what its client saw. */
function comesBefore(earlier: Entry, later: Entry): boolean {
  if (earlier.outcome.kind === 'unknown' || earlier.endedAt >= later.calledAt) return false;
  if (isStrict(later)) return true;
  const hasMoment = (entry: Entry) => isStrict(entry) || isCarried(entry);
  return isCarried(later) && hasMoment(earlier) && earlier.client === later.client && earlier.outcome.kind === 'done';
}

function isStrict({ action, consistency }: Entry): boolean {
  return isWrite(action) || consistency === 'critical';
}

function isCarried({ consistency, carries }: Entry): boolean {
  return consistency === 'session' && carries;
}

type Revisions = readonly (number | null)[];

/** What each of its parts may have left: what its reply says, else any version that its mark was seen with, or another. */
function choicesOf({ action, outcome }: Entry, versions: ReadonlyMap<string, readonly number[]>): Revisions[] {
  if (!isWrite(action) || outcome.kind === 'refused') return [partsOf(action).map(() => null)];
  return partsOf(action).reduce<Revisions[]>(
    (choices, part, index) => {
      const reply = outcome.kind === 'done' ? outcome.reply : {};
      const { version } = action.op === 'commit' ? (reply.parts?.[index] ?? {}) : reply;
      const seen = 'mark' in part ? [...(versions.get(part.mark) ?? []), UNTOLD] : [null];
      const own = version === undefined ? seen : [revisionOf(version)];
      return choices.flatMap((choice) => own.map((revision) => [...choice, revision]));
    },
    [[]],
  );
}

function versionsSeen(entries: readonly Entry[]): ReadonlyMap<string, readonly number[]> {
  const seen = new Map<string, number[]>();
  for (const { outcome } of entries) {
    const { object, edges } = outcome.kind === 'done' ? outcome.reply : {};
    for (const { mark, version } of [...(edges ?? []), ...(object == null ? [] : [object])]) {
      seen.set(mark, [...new Set([...(seen.get(mark) ?? []), revisionOf(version)])]);
    }
  }
  return seen;
}

interface How {
  readonly history: ObjectHistory;
  readonly revisions: Revisions;
}

function after(state: ObjectState, { action, outcome }: Entry, { history, revisions }: How): ObjectState | null {
  const { edgeTypes, prefix } = history;
  const idOf = (name: string) => prefix + name;
  if (outcome.kind === 'refused') {
    return mayRefuse(state, action, { edgeTypes, code: outcome.code, idOf }) ? state : null;
  }
  const reply = outcome.kind === 'done' ? outcome.reply : null;
  return applyAction(state, action, { edgeTypes, reply, revisions, idOf });
}

/** The newest version of each item after an action; null when one of them does not grow. */
function grow(newest: ReadonlyMap<string, number>, action: Action, revisions: Revisions): Map<string, number> | null {
  const grown = new Map(newest);
  for (const [index, part] of partsOf(action).entries()) {
    const revision = revisions[index] ?? null;
    if (revision === null || Number.isNaN(revision)) continue;
    const item = itemOf(part);
    if ((grown.get(item) ?? -1) >= revision) return null;
    grown.set(item, revision);
  }
  return grown;
}

function itemOf(part: ReturnType<typeof partsOf>[number]): string {
  if (part.op === 'edge.changeType') return `${part.into} ${part.to}`;
  return part.op === 'edge.put' ? `${part.type} ${part.to}` : 'object';
}
