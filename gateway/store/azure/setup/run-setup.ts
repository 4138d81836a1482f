import type { CosmosClient } from '@azure/cosmos';
import { BrokenAttempt } from '#gateway/store/http/broken-attempt.ts';
import { CONTAINER_DEFINITION, LEASES_DEFINITION } from '#gateway/store/layout/container.ts';
import { statusOf, subStatusOf } from './account-state.ts';
import { applyChange, readPlan } from './apply.ts';
import { FORBIDDEN_HELP } from './forbidden-help.ts';
import { describeChange, type Plan, type Wish } from './plan.ts';

/** What the command ended with; the numbers are its exit codes. */
export const SETUP_EXIT = { done: 0, different: 1, usage: 2, impossible: 3, unreachable: 4 } as const;
export type SetupExit = (typeof SETUP_EXIT)[keyof typeof SETUP_EXIT];

export interface SetupOptions {
  /** Most request units a second of the main container, by autoscale; null leaves throughput alone. */
  readonly maxRu: number | null;
  /** Whether to change what differs; else it is only told. */
  readonly apply: boolean;
  /** Writes a line for whoever runs the command. */
  readonly say: (line: string) => void;
}

/**
 * Brings an account's database and containers to the layout that the gateway needs, or tells what it would change. Safe to
 * repeat. Never deletes anything.
 */
export async function runSetup(client: CosmosClient, options: SetupOptions): Promise<SetupExit> {
  try {
    return await setUp(client, options);
  } catch (error) {
    return explain(error, options.say);
  }
}

async function setUp(client: CosmosClient, { maxRu, apply, say }: SetupOptions): Promise<SetupExit> {
  const wishes = wishesOf(maxRu);
  const plan = await readPlan(client, wishes);
  for (const note of plan.notes) say(note);
  if (plan.obstacles.length > 0) return tellObstacles(plan, say);
  if (plan.changes.length === 0) {
    say('Nothing to change.');
    return SETUP_EXIT.done;
  }
  say(apply ? 'Changes:' : 'It would:');
  for (const change of plan.changes) say(`  ${describeChange(change)}`);
  if (!apply) {
    say('Nothing was changed. Run it again with --yes.');
    return SETUP_EXIT.different;
  }
  for (const change of plan.changes) await applyChange(client, change);
  const left = await readPlan(client, wishes);
  if (left.changes.length > 0 || left.obstacles.length > 0) return tellRest(left, say);
  say('Done.');
  return SETUP_EXIT.done;
}

/** The least that autoscale offers; leases need less. */
const LEASES_RU = 1_000;

function wishesOf(maxRu: number | null): readonly Wish[] {
  return [
    { layout: CONTAINER_DEFINITION, maxRu },
    { layout: LEASES_DEFINITION, maxRu: maxRu === null ? null : LEASES_RU },
  ];
}

function tellObstacles(plan: Plan, say: SetupOptions['say']): SetupExit {
  for (const obstacle of plan.obstacles) say(obstacle);
  say('Nothing was changed.');
  return SETUP_EXIT.impossible;
}

/** The account took the changes and yet is not as wished: somebody else changes it, or it does not do as it says. */
function tellRest(left: Plan, say: SetupOptions['say']): SetupExit {
  say('The account is still not as it should be:');
  for (const change of left.changes) say(`  ${describeChange(change)}`);
  for (const obstacle of left.obstacles) say(`  ${obstacle}`);
  return SETUP_EXIT.impossible;
}

function explain(error: unknown, say: SetupOptions['say']): SetupExit {
  if (error instanceof BrokenAttempt) {
    say(`The account cannot be reached: ${error.message}`);
    return SETUP_EXIT.unreachable;
  }
  const status = statusOf(error);
  if (status === null || !(error instanceof Error)) throw error;
  const subStatus = subStatusOf(error);
  say(`Cosmos DB refused with ${status}${subStatus === 0 ? '' : `/${subStatus}`}: ${firstLine(error.message)}`);
  if (status === 403 && subStatus === TAKES_NO_WRITES) say('COSMOS_ENDPOINT names a region; set it to the account.');
  else if (status === 403) say(FORBIDDEN_HELP);
  // What is throttled or out of order now may work later; what is refused will be refused again.
  return status === 429 || status >= 500 ? SETUP_EXIT.unreachable : SETUP_EXIT.impossible;
}

const TAKES_NO_WRITES = 3;

function firstLine(text: string): string {
  return text.split(/\r?\n/)[0] ?? text;
}
