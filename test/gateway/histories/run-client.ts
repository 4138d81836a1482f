import { setTimeout as pause } from 'node:timers/promises';
import { type Action, type Entry, isWrite, type Outcome } from './history.ts';
import type { Command, PlannedObject } from './plan.ts';
import { GATEWAYS } from './plan.ts';
import type { Recorder } from './recorder.ts';
import { send } from './send.ts';
import type { World } from './world.ts';

export interface Run {
  readonly world: World;
  readonly recorder: Recorder;
  readonly objects: readonly PlannedObject[];
  /** Ids of this run: other runs on the same store have others. */
  readonly idOf: (name: string) => string;
  readonly nameOf: (id: string) => string;
}

interface Client {
  readonly number: number;
  session: string | null;
  /** The version of each object that it saw last. */
  readonly versions: Map<string, string>;
  /** Its keyed writes that were acknowledged. */
  readonly keyed: { readonly command: Command; readonly entry: Entry }[];
  readonly problems: string[];
  /** What batches created, by their key. */
  readonly created: Map<string, string>;
}

const MOST_TRIES = 4;
const RETRIED = [
  'delete_in_progress',
  'store_throttled',
  'store_unavailable',
  'write_contended',
  'overloaded',
  'deadline_exceeded',
];
/** What a right gateway never answers to these clients. */
const NEVER = ['internal', 'malformed_request', 'idempotency_conflict', 'content_unreadable', 'checksum_mismatch'];
/** So that a store that is away does not use up a client's commands in a moment. */
const PAUSE_MS = 80;

/** Runs a client's commands one after another. Returns what was wrong with single replies. */
export async function runClient(run: Run, number: number, commands: readonly Command[]): Promise<readonly string[]> {
  const client: Client = { number, session: null, versions: new Map(), keyed: [], problems: [], created: new Map() };
  for (const command of commands) {
    run.recorder.begin();
    const earlier = command.repeats ? client.keyed.at(-1) : undefined;
    if (earlier !== undefined) await repeat(run, client, earlier);
    else await perform(run, client, command);
  }
  return client.problems;
}

async function perform(run: Run, client: Client, command: Command): Promise<void> {
  const action = withCondition(command, client);
  const isKeyed = command.isKeyed && isWrite(action);
  const calledAt = run.recorder.tick();
  const key = isKeyed ? run.idOf(`k${client.number}-${calledAt}`) : null;
  const told = await tryUntilTold(run, client, { command, action, key });
  const endedAt = run.recorder.tick();
  const { object, consistency } = command;
  const { tries, process, carries, outcome } = told;
  const entry = run.recorder.add({
    ...{ client: client.number, object, action, consistency, key },
    ...{ carries, calledAt, endedAt, process, tries, outcome },
  });
  learn(client, entry);
  if (key !== null && outcome.kind === 'done') client.keyed.push({ command, entry });
  if (outcome.kind === 'refused' && NEVER.includes(outcome.code))
    client.problems.push(`#${entry.id} ${action.op} was answered ${outcome.code}: ${outcome.says}`);
  if (outcome.kind === 'refused' && outcome.code === 'store_unavailable') await pause(PAUSE_MS);
}

function withCondition({ action, object, isConditional }: Command, client: Client): Action {
  const version = client.versions.get(object);
  if (!isConditional || version === undefined) return action;
  if (action.op === 'object.delete' || (action.op === 'object.put' && action.ifAbsent === undefined)) {
    return { ...action, ifMatch: version };
  }
  return action;
}

function learn(client: Client, { object, action, outcome }: Entry): void {
  if (outcome.kind !== 'done') return;
  const version = action.op === 'object.put' ? outcome.reply.version : outcome.reply.object?.version;
  if (version !== undefined) client.versions.set(object, version);
}

interface Asked {
  readonly command: Command;
  readonly action: Action;
  readonly key: string | null;
}

interface Told {
  readonly outcome: Outcome;
  readonly tries: number;
  readonly process: string;
  readonly carries: boolean;
}

/**
 * One logical operation: with a key it is repeated, also through the other gateway, until its outcome is told. A refusal
 * after a try whose outcome stayed unknown says nothing of that try.
 */
async function tryUntilTold(run: Run, client: Client, asked: Asked): Promise<Told> {
  const { command, action } = asked;
  const home = run.objects.find(({ name }) => name === command.object)?.home ?? null;
  const carries = home === null && command.consistency === 'session' && client.session !== null;
  let unknown: Outcome | null = null;
  let process = '';
  for (let tries = 1; ; tries += 1) {
    const gateway = await gatewayFor(run, home ?? otherOf(command.gateway, tries));
    process = gateway.name;
    const headers = headersOf(client, { ...asked, carries: home === null });
    const answer = await send(action, {
      ...{ url: gateway.url, token: run.world.token, headers, nameOf: run.nameOf, targetOf: run.idOf },
      ...{ from: run.idOf(command.object), isBatched: command.isBatched },
    });
    noteCreated(client, asked.key, answer.createdId);
    if (answer.session !== null) client.session = answer.session;
    const { outcome } = answer;
    const told = (end: Outcome): Told => ({ outcome: end, tries, process, carries });
    if (outcome.kind === 'done') return told(outcome);
    if (outcome.kind === 'unknown') unknown = outcome;
    const mayRetry = outcome.kind === 'absent' || isWorthRetrying(asked, outcome, unknown);
    if (!mayRetry || tries >= MOST_TRIES) return told(unknown ?? (outcome.kind === 'absent' ? NOBODY : outcome));
    await pause(PAUSE_MS * tries);
  }
}

/** A batch that is repeated with its key creates nothing anew. */
function noteCreated(client: Client, key: string | null, id: string | null): void {
  if (key === null || id === null) return;
  const known = client.created.get(key) ?? id;
  client.created.set(key, known);
  if (known !== id) client.problems.push(`the batch of key ${key} created ${known}, and when it was repeated ${id}`);
}

const NOBODY: Outcome = { kind: 'refused', code: 'nobody listened' };

/** After an unknown outcome only a key makes another try safe. */
function isWorthRetrying({ command, key }: Asked, outcome: Outcome, unknown: Outcome | null): boolean {
  if (outcome.kind === 'unknown') return key !== null;
  const isForAWhile = outcome.kind === 'refused' && RETRIED.includes(outcome.code);
  return isForAWhile && (unknown === null ? command.insists : key !== null);
}

/** A gateway that is being started is waited for; the other one serves objects that have no home meanwhile. */
async function gatewayFor(run: Run, name: string) {
  for (;;) {
    const gateway = run.world.gateway(name);
    if (gateway !== null) return gateway;
    await pause(20);
  }
}

function otherOf(name: string, tries: number): string {
  return tries % 2 === 1 ? name : (GATEWAYS.find((other) => other !== name) ?? name);
}

function headersOf(client: Client, { command, action, key, carries }: Asked & { readonly carries: boolean }) {
  return {
    'habitat-deadline-ms': String(command.deadlineMs),
    'habitat-consistency': command.consistency,
    ...(key === null ? {} : { 'idempotency-key': key }),
    ...(carries && client.session !== null ? { 'habitat-session': client.session } : {}),
    ...(command.isBatched ? {} : conditionsOf(action)),
  };
}

function conditionsOf(action: Action): Record<string, string> {
  if (action.op === 'object.put' && action.ifAbsent === true) return { 'if-none-match': '*' };
  const ifMatch = 'ifMatch' in action ? action.ifMatch : undefined;
  return ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` };
}

/** The same key and the same request again: the stored outcome, whatever happened since. */
async function repeat(run: Run, client: Client, { command, entry }: Client['keyed'][number]): Promise<void> {
  const told = await tryUntilTold(run, client, {
    command: { ...command, action: entry.action },
    action: entry.action,
    key: entry.key,
  });
  const { outcome } = told;
  if (outcome.kind !== 'done' || JSON.stringify(outcome) === JSON.stringify(entry.outcome)) return;
  client.problems.push(`#${entry.id} was repeated with its key and answered ${JSON.stringify(outcome)}`);
}
