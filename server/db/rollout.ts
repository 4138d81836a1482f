import 'server-only';
import { z } from 'zod';
import type { Rollout } from '#prisma/client/client.ts';
import { PROMOTES } from '#server/contract/rollouts.ts';
import type { Reader } from './client.ts';

const Stages = z.array(z.array(z.string()));
const Turns = z.array(
  z.object({ atMs: z.int(), what: z.string(), who: z.string().nullable(), note: z.string().nullable() }),
);
export type RolloutTurn = z.infer<typeof Turns>[number];

/** A rollout as stored, its columns parsed. */
export interface StoredRollout {
  readonly releaseNumber: number;
  /** What gateways of later stages serve meanwhile. */
  readonly baseNumber: number;
  /** Gateways by stage, the last stage excepted: it holds everybody else. */
  readonly stages: readonly (readonly string[])[];
  /** The newest open stage, from 1. */
  readonly stage: number;
  readonly state: 'rolling' | 'halted' | 'done' | 'ended';
  readonly promotes: (typeof PROMOTES)[number];
  readonly afterSeconds: number;
  /** Its change says that somebody may do less, so refusals are expected. */
  readonly narrows: boolean;
  readonly stageLiveAtMs: number | null;
  readonly haltReason: string | null;
  readonly turns: readonly RolloutTurn[];
}

/** The one rollout that has not ended, or null. */
export async function readOpenRollout(db: Reader): Promise<StoredRollout | null> {
  const row = await db.rollout.findFirst({ where: { endedAt: null }, orderBy: { releaseNumber: 'desc' } });
  return row === null ? null : rolloutOf(row);
}

/** The rollout of one release; null when it went to all gateways at once. */
export async function readRollout(db: Reader, releaseNumber: number): Promise<StoredRollout | null> {
  const row = await db.rollout.findUnique({ where: { releaseNumber } });
  return row === null ? null : rolloutOf(row);
}

/** How many stages there are, with the last. */
export function stageCount({ stages }: Pick<StoredRollout, 'stages'>): number {
  return stages.length + 1;
}

/** The stage a gateway belongs to, from 1; who is not named is of the last. */
export function stageOf({ stages }: Pick<StoredRollout, 'stages'>, gateway: string): number {
  const index = stages.findIndex((names) => names.includes(gateway));
  return index === -1 ? stages.length + 1 : index + 1;
}

/** Whether the gateway's stage is open, so that it is offered the new release. */
export function isOffered(rollout: Pick<StoredRollout, 'stages' | 'stage'>, gateway: string): boolean {
  return stageOf(rollout, gateway) <= rollout.stage;
}

function rolloutOf(row: Rollout): StoredRollout {
  return {
    releaseNumber: row.releaseNumber,
    baseNumber: row.baseNumber,
    stages: Stages.parse(row.stages),
    stage: row.stage,
    state: z.enum(['rolling', 'halted', 'done', 'ended']).parse(row.state),
    promotes: z.enum(PROMOTES).parse(row.promotes),
    afterSeconds: row.afterSeconds,
    narrows: row.narrows,
    stageLiveAtMs: row.stageLiveAt?.getTime() ?? null,
    haltReason: row.haltReason,
    turns: Turns.parse(row.turns),
  };
}
