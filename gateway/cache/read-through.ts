import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { FreshnessPort } from '#gateway/pipeline/freshness-port.ts';
import type { CacheTerms, ReadAnswer, ReadCall } from '#gateway/pipeline/serving-port.ts';
import type { ObjectKey, StoreCall, StoreReply } from '#gateway/pipeline/store-port.ts';
import { type Flight, landed } from './flights.ts';
import type { Origin, Seen, Terms } from './shelf.ts';

/** A read that the cache may answer: `Raw` as the store gives it, `Held` as it is kept. */
export interface Question<Raw, Held> {
  readonly on: ObjectKey;
  /** Tells it from other reads of the partition. */
  readonly name: string;
  /** Whether one read of one item gives the answer, so that the reply's session says how old it is. */
  readonly isOneRead: boolean;
  look(pk: string, terms: Terms): Seen<Held> | null;
  ask(call: StoreCall): Promise<StoreReply<Raw> | Denial>;
  /** Opens what it carries; a denial when that fails. */
  open(raw: Raw): Promise<Opened<Held> | Denial>;
  keep(pk: string, held: Held, origin: Origin): void;
}

export interface Opened<Held> extends Pick<Origin, 'r' | 'keyIds'> {
  readonly kind: 'opened';
  readonly held: Held;
}

export interface ReadThroughParts {
  readonly freshness: FreshnessPort;
  /** Milliseconds; never goes back. */
  readonly steadyMs: () => number;
  /** Epoch milliseconds, as deadlines are told. */
  readonly nowMs: () => number;
}

type Answer<Raw, Held> = StoreReply<Raw | Held> | Denial;

/** Reads of one kind, of which those that ask the same at the same time share one call of the store. */
export function createReadThrough<Raw, Held>(parts: ReadThroughParts) {
  const flights = new Map<string, Flight<Answer<Raw, Held>>>();
  const run: Run<Raw, Held> = { ...parts, flights };
  return (question: Question<Raw, Held>, call: ReadCall): ReadAnswer<Raw | Held> => {
    const { cache } = call;
    // What decides about a critical read lies where writes go, and nowhere else.
    if (cache === null || call.consistency === 'critical') return question.ask(call);
    const pk = parts.freshness.partitionOf(question.on);
    return seek(run, { question, cache, pk, row: parts.freshness.rowOf(pk) }, call);
  };
}

interface Run<Raw, Held> extends ReadThroughParts {
  readonly flights: Map<string, Flight<Answer<Raw, Held>>>;
}

interface Sought<Raw, Held> {
  readonly question: Question<Raw, Held>;
  readonly cache: CacheTerms;
  readonly pk: string;
  readonly row: number;
}

/**
 * Shows what is kept if it may be shown. Otherwise waits for a read that is under way, if no write of the partition began
 * since and it is new enough for the caller's session; or reads, and lets others wait.
 */
function seek<Raw, Held>(run: Run<Raw, Held>, sought: Sought<Raw, Held>, call: ReadCall): ReadAnswer<Raw | Held> {
  const { freshness, flights } = run;
  const { question, cache, pk, row } = sought;
  const state = freshness.stateOf(row);
  const nowMs = run.steadyMs();
  if (state === null) {
    cache.note('miss');
    return askUnshared(question, call);
  }
  // Who is content with an old state does not mind what its session knows.
  const client = call.consistency === 'eventual' ? [] : call.session;
  const terms = { tenant: question.on.tenant, state, ttlMs: cache.ttlMs, nowMs, client };
  const seen = question.look(pk, terms);
  if (seen !== null) {
    cache.note('hit');
    return { kind: 'reply', value: seen.value, session: freshness.tokensOf(seen.progress) };
  }
  const flight = flights.get(`${pk}\n${question.name}`);
  const isShared = flight !== undefined && flight.state === state && freshness.covers(flight, client, nowMs);
  if (isShared) return join(run, { sought, flight }, call);
  cache.note('miss');
  return orEventual(question, call, lead(run, { ...sought, state, nowMs }, call));
}

async function join<Raw, Held>(
  run: Run<Raw, Held>,
  { sought, flight }: { readonly sought: Sought<Raw, Held>; readonly flight: Flight<Answer<Raw, Held>> },
  call: ReadCall,
): Promise<Answer<Raw, Held>> {
  const answer = await landed(flight, call.deadlineAtMs - run.nowMs());
  // Whose read it was had less time than this caller has.
  const isNotOurs = isDenial(answer) && answer.code === 'deadline_exceeded' && run.nowMs() < call.deadlineAtMs;
  if (isNotOurs) return seek(run, sought, call);
  sought.cache.note(isDenial(answer) ? 'miss' : 'hit');
  return orEventual(sought.question, call, Promise.resolve(answer));
}

interface Leading<Raw, Held> extends Sought<Raw, Held> {
  readonly state: number;
  readonly nowMs: number;
}

function lead<Raw, Held>(run: Run<Raw, Held>, leading: Leading<Raw, Held>, call: ReadCall): Promise<Answer<Raw, Held>> {
  const { freshness, flights } = run;
  const { question, pk, state, nowMs } = leading;
  const name = `${pk}\n${question.name}`;
  const least = freshness.leastOf(pk, call.session);
  const landing = fill(run, { ...leading, least }, call).finally(() => {
    if (flights.get(name) === flight) flights.delete(name);
  });
  const flight: Flight<Answer<Raw, Held>> = { state, landing, atMs: nowMs, progress: least, isExact: false };
  flights.set(name, flight);
  return landing;
}

/**
 * A read for all who wait, and for those who come after it. It carries the newest session token of the partition whatever
 * the caller would be content with: what a region that lags answers is shown to nobody else.
 */
async function fill<Raw, Held>(
  { freshness }: Run<Raw, Held>,
  leading: Leading<Raw, Held> & { readonly least: string },
  call: ReadCall,
): Promise<Answer<Raw, Held>> {
  const { question, pk, row, state, nowMs, least } = leading;
  const answer = await question.ask({ ...call, consistency: 'session' });
  if (isDenial(answer)) return answer;
  const opened = await question.open(answer.value);
  // Decoding the answer tells why it does not open.
  if (isDenial(opened)) return answer;
  const { held, r, keyIds } = opened;
  const { session } = answer;
  if (freshness.stateOf(row) === state) {
    const isExact = session.length > 0;
    const told = freshness.progressOf(session, question.isOneRead ? null : least);
    question.keep(pk, held, { atMs: nowMs, state, r, keyIds, isExact, progress: isExact ? told : least });
  }
  return { kind: 'reply', value: held, session };
}

function askUnshared<Raw, Held>(question: Question<Raw, Held>, call: ReadCall): Promise<Answer<Raw, Held>> {
  return question.ask(call);
}

const AWAY: readonly string[] = ['store_unavailable', 'store_throttled'] satisfies Denial['code'][];

/** Who is content with an old state gets one when the newest is out of reach; it is not kept. */
async function orEventual<Raw, Held>(
  question: Question<Raw, Held>,
  call: ReadCall,
  answer: Promise<Answer<Raw, Held>>,
): Promise<Answer<Raw, Held>> {
  const given = await answer;
  const mayBeOld = call.consistency === 'eventual' && isDenial(given) && AWAY.includes(given.code);
  return mayBeOld ? question.ask(call) : given;
}
