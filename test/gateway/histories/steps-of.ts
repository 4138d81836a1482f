import {
  type Action,
  type CommitPart,
  type Entry,
  isWrite,
  type ObjectHistory,
  partsOf,
  type Reply,
  typesOf,
} from './history.ts';
import { applyAction, mayRefuse, type ObjectState, revisionOf } from './object-state.ts';
import type { Step } from './step.ts';

/** Refusals that say something of the object's state. */
const TELLING = ['version_conflict', 'already_exists', 'limit_exceeded', 'edge_not_found'];

/**
 * - `strict`: takes effect at one moment between its call and its end;
 * - `session`: shows a state no older than what its client saw before, and no newer than its end;
 * - `free`: shows any state up to its end.
 */
export type Hold = 'strict' | 'session' | 'free';

type Part = ReturnType<typeof partsOf>[number];

export interface EntryStep extends Step<ObjectState> {
  readonly entry: Entry;
  readonly hold: Hold;
}

/** The entries of a history that bear witness, as steps for the search. */
export function stepsOf(history: ObjectHistory): EntryStep[] {
  const seen = revisionsSeen(history.entries);
  const seenMarks = new Set(history.entries.flatMap(sightingsOf).map(({ mark }) => mark));
  const telling = history.entries.filter(isTelling);
  const bare = telling.map((entry) => {
    const revisions = partsOf(entry.action).map(
      (part, index) => ownRevision(entry, index) ?? seen.get(placeOf(part)) ?? null,
    );
    const meaning = meaningOf(entry, { history, revisions, seenMarks });
    return { entry, hold: holdOf(entry, history), revisions, ...meaning };
  });
  return bare.map(({ revisions: _, ...step }, index) => ({
    ...step,
    after: bare.flatMap((earlier, at) => (at !== index && isBefore(earlier, bare[index] ?? earlier) ? [at] : [])),
  }));
}

/** Marks that reads show although no write that may have happened left them, or that come with two versions. */
export function strangeMarks({ entries }: ObjectHistory): string[] {
  const written = new Set(
    entries.filter(({ outcome }) => outcome.kind !== 'refused').flatMap(({ action }) => partsOf(action).map(markOf)),
  );
  const problems: string[] = [];
  // What is moved to another type keeps its mark and gets another version.
  const moved = new Set(entries.flatMap(({ action }) => ('into' in action ? [action.into] : [])));
  const versions = new Map<string, string>();
  for (const { mark, version, type, entry } of entries.flatMap(sightingsOf)) {
    if (!written.has(mark)) problems.push(`#${entry.id} shows ${mark}, which no write of this object left`);
    const other = versions.get(`${type} ${mark}`) ?? version;
    if (other !== version && !moved.has(type)) {
      problems.push(`#${entry.id} shows ${mark} with version ${version}; it had ${other}`);
    }
    versions.set(`${type} ${mark}`, other);
  }
  return problems;
}

function isTelling({ action, outcome }: Entry): boolean {
  if (outcome.kind === 'refused') return isWrite(action) && TELLING.includes(outcome.code);
  return outcome.kind === 'done' || isWrite(action);
}

interface Context {
  readonly history: ObjectHistory;
  /** Of each of its parts. */
  readonly revisions: readonly (number | null)[];
  /** All marks that replies show, those of acknowledged puts among them. */
  readonly seenMarks: ReadonlySet<string>;
}

function meaningOf(entry: Entry, { history, revisions, seenMarks }: Context): Omit<Step<ObjectState>, 'after'> {
  const { outcome } = entry;
  const action = withoutUnseen(entry.action, seenMarks);
  const { edgeTypes, prefix } = history;
  const idOf = (name: string) => prefix + name;
  if (outcome.kind === 'refused') {
    const { code } = outcome;
    const apply = (state: ObjectState) => (mayRefuse(state, action, { edgeTypes, code, idOf }) ? state : null);
    return { apply, isRead: true, optional: null };
  }
  const reply = outcome.kind === 'done' ? outcome.reply : null;
  return {
    apply(state) {
      // Versions of one object or edge only grow.
      for (const [index, part] of partsOf(action).entries()) {
        const [previous, revision] = [previousOf(state, part), revisions[index] ?? null];
        if (revision !== null && previous !== null && previous >= revision) return null;
      }
      return applyAction(state, action, { edgeTypes, reply, revisions, idOf });
    },
    isRead: !isWrite(action) || (action.op === 'edge.delete' && reply?.deleted === false),
    // A write that somebody saw did happen, whatever its own client was told.
    optional: reply === null && !partsOf(action).some(isSeen) ? partsOf(action).map(twinOf).join() : null,
  };
}

const UNSEEN = '?';

/** What puts left that nobody saw differs in nothing. */
function withoutUnseen(action: Action, seenMarks: ReadonlySet<string>): Action {
  if (action.op === 'commit') {
    return { ...action, parts: action.parts.map((part) => withoutUnseen(part, seenMarks) as CommitPart) };
  }
  return 'mark' in action && !seenMarks.has(action.mark) ? { ...action, mark: UNSEEN } : action;
}

function isSeen(part: Part): boolean {
  return 'mark' in part && part.mark !== UNSEEN;
}

function previousOf({ object, edges }: ObjectState, action: Part): number | null {
  if (action.op === 'object.put') return object?.revision ?? null;
  if (action.op === 'edge.put') return edges.get(`${action.type} ${action.to}`)?.revision ?? null;
  if (action.op === 'edge.changeType') return edges.get(`${action.into} ${action.to}`)?.revision ?? null;
  return null;
}

/** Unknown writes that left nothing that somebody saw differ in nothing but when they were called. */
function twinOf(action: Part): string {
  switch (action.op) {
    case 'object.put':
      return `put ${action.ifMatch ?? ''} ${action.ifAbsent ?? ''}`;
    case 'object.delete':
      return `delete ${action.ifMatch ?? ''}`;
    case 'edge.put':
    case 'edge.delete':
      return `${action.op} ${action.type} ${action.to}`;
    case 'edge.changeType':
      return `${action.op} ${action.type} ${action.to} ${action.into}`;
    default:
      return action.op;
  }
}

function holdOf(entry: Entry, { home, entries }: ObjectHistory): Hold {
  const { action, consistency } = entry;
  if (isWrite(action) || consistency === 'critical') return 'strict';
  if (consistency === 'eventual') return 'free';
  if (home === null) return entry.carries ? 'session' : 'free';
  // A gateway that was started anew knows nothing until it wrote to the object, or read it critically.
  const isWarm = entries.some(
    (other) =>
      other.outcome.kind === 'done' &&
      other.process === entry.process &&
      other.endedAt < entry.calledAt &&
      (isWrite(other.action) || other.consistency === 'critical'),
  );
  return isWarm ? 'strict' : 'free';
}

interface Placed {
  readonly entry: Entry;
  readonly hold: Hold;
  readonly revisions: readonly (number | null)[];
}

function isBefore(earlier: Placed, later: Placed): boolean {
  if (isOlderVersion(earlier, later)) return true;
  if (earlier.entry.outcome.kind === 'unknown' || earlier.entry.endedAt >= later.entry.calledAt) return false;
  if (later.hold === 'strict') return true;
  if (later.hold === 'free' || earlier.hold === 'free') return false;
  return earlier.entry.client === later.entry.client && earlier.entry.outcome.kind === 'done';
}

/** Versions of an item order its writes; of two with one version each would have to come before the other. */
function isOlderVersion(earlier: Placed, later: Placed): boolean {
  const laterParts = partsOf(later.entry.action);
  return partsOf(earlier.entry.action).some((part, at) => {
    const revision = earlier.revisions[at] ?? null;
    return laterParts.some((other, otherAt) => {
      const laterRevision = later.revisions[otherAt] ?? null;
      return revision !== null && laterRevision !== null && itemOf(part) === itemOf(other) && revision <= laterRevision;
    });
  });
}

/** What a write leaves its revision on. */
function itemOf(action: Part): string {
  if (action.op === 'edge.changeType') return `${action.into} ${action.to}`;
  return 'to' in action && 'type' in action && typeof action.to === 'string'
    ? `${action.type} ${action.to}`
    : action.op;
}

function markOf(action: Part): string {
  return 'mark' in action ? action.mark : '';
}

/** Where reads find what a put left, until it is moved. */
function placeOf(part: Part): string {
  return `${typesOf(part)[0] ?? ''} ${markOf(part)}`;
}

function ownRevision({ action, outcome }: Entry, index: number): number | null {
  if (!isWrite(action) || outcome.kind !== 'done') return null;
  const { version } = replyOfPart(action, outcome.reply, index);
  return version === undefined ? null : revisionOf(version);
}

function replyOfPart(action: Action, reply: Reply, index: number): Reply {
  return action.op === 'commit' ? (reply.parts?.[index] ?? {}) : reply;
}

interface Sighting {
  readonly mark: string;
  readonly version: string;
  /** Edge type; empty for the object. */
  readonly type: string;
  readonly entry: Entry;
}

/** Every mark that a reply shows with its version: those that reads found, and that of a put that was acknowledged. */
function sightingsOf(entry: Entry): Sighting[] {
  const { action, outcome } = entry;
  if (outcome.kind !== 'done') return [];
  return partsOf(action).flatMap((part, index) => {
    const { version, object, edges } = replyOfPart(action, outcome.reply, index);
    const seen = [...(edges ?? []), ...(object == null ? [] : [object])];
    const own = version === undefined || !('mark' in part) ? [] : [{ mark: part.mark, version }];
    const type = typesOf(part)[0] ?? '';
    return [...seen, ...own].map((one) => ({ mark: one.mark, version: one.version, type, entry }));
  });
}

/** Of each place the one version that its mark was seen with; none where a mark may have come back with another one. */
function revisionsSeen(entries: readonly Entry[]): Map<string, number> {
  const moves = entries.flatMap(({ action, outcome }) =>
    action.op === 'edge.changeType' && outcome.kind !== 'refused' ? [action] : [],
  );
  const mayComeBack = (part: Part) =>
    part.op === 'edge.put' &&
    moves.some(({ type, to }) => type === part.type && to === part.to) &&
    moves.some(({ into, to }) => into === part.type && to === part.to);
  const unsure = new Set(
    entries
      .flatMap(({ action }) => partsOf(action))
      .filter(mayComeBack)
      .map(placeOf),
  );
  const sightings = entries.flatMap(sightingsOf).filter(({ type, mark }) => !unsure.has(`${type} ${mark}`));
  return new Map(sightings.map(({ type, mark, version }) => [`${type} ${mark}`, revisionOf(version)]));
}
