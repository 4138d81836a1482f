import type { StoreRegion } from '#gateway/contract/machine-api.ts';
import type { Account } from '#gateway/store/account.ts';
import { denialOf, type Fault, isContainerMissing, isThrottled } from '#gateway/store/errors.ts';
import type { Region } from './region.ts';

/** What the last check of a region by this worker said. */
export interface RegionCheck {
  readonly atMs: number;
  readonly isWell: boolean;
  /** A sentence; empty when it is well. */
  readonly problem: string;
}

/** A region as one worker knows it: counts are its own, the breaker is everybody's. */
export interface RegionStatus extends StoreRegion {
  readonly check: RegionCheck | null;
}

export interface Health {
  /** Checks every region now. */
  checkAll(): Promise<void>;
  /** Checks regions from now on, each by one worker of the process at a time, about every 5 s. Resolves after the first. */
  watch(): Promise<void>;
  status(): readonly RegionStatus[];
  stop(): void;
}

const TICK_MS = 500;
const CHECK_EVERY_MS = 5_000;
const JITTER = 0.2;
const CHECK_TIMEOUT_MS = 2_000;
/** A partition that no object has: its read costs 1 RU and tells whether endpoint, key and container are in order. */
const NOWHERE = '~probe';

export interface HealthParts {
  readonly account: Account;
  readonly now: () => number;
  readonly random: () => number;
}

export function createHealth({ account, now, random }: HealthParts): Health {
  const { regions } = account;
  const checks = new WeakMap<Region, RegionCheck>();
  let timer: NodeJS.Timeout | undefined;

  async function check(region: Region): Promise<void> {
    // Whatever stands in the way of a check is a finding of it: there is no caller to whom it could be thrown.
    const found = await readNothing(region).catch((error: unknown) => String(error));
    if (found !== 'not asked') checks.set(region, { atMs: now(), isWell: found === null, problem: found ?? '' });
  }

  const all = () => [...new Set([...regions.reads(), regions.write()])];

  async function tick(): Promise<void> {
    const nowMs = now();
    const due = all().filter((region) => {
      // A region whose breaker is half open is asked at once: the breaker lets one attempt pass, whoever sends it.
      const untilMs = nowMs + CHECK_EVERY_MS * (1 + JITTER * (2 * random() - 1));
      return region.breaker.state(nowMs) === 'halfOpen' || region.takeCheck({ nowMs, untilMs });
    });
    if (regions.write().breaker.state(nowMs) === 'closed') void regions.refreshWhenOld();
    else void regions.refresh();
    await Promise.all(due.map(check));
  }

  return {
    async checkAll() {
      await account.reads(CHECK_TIMEOUT_MS);
      await Promise.all(all().map(check));
    },
    async watch() {
      timer ??= setInterval(() => void tick(), TICK_MS);
      await account.reads(CHECK_TIMEOUT_MS);
      await tick();
    },
    status: () =>
      all().map((region) => ({
        account: regions.account(),
        region: region.name,
        takesWrites: region === regions.write(),
        breaker: region.breaker.state(now()),
        breakerSinceMs: region.breaker.sinceMs(),
        ...region.counts,
        connections: region.connections(),
        check: checks.get(region) ?? null,
      })),
    stop: () => clearInterval(timer),
  };
}

/** Null when the region answers as it should, else what is wrong; `not asked` when its breaker let nothing pass. */
async function readNothing(region: Region): Promise<string | null> {
  const call = { meter: { add: () => undefined }, session: [] };
  const limits = { pk: NOWHERE, timeoutMs: CHECK_TIMEOUT_MS };
  const place = { pk: NOWHERE, id: NOWHERE };
  const result = await region.attempt(call, limits, (_container, signal, points) =>
    points.read(place, { consistencyLevel: 'Eventual' }, signal),
  );
  if (result.kind === 'ok') return null;
  const { fault } = result;
  if (fault.kind === 'shut') return 'not asked';
  return isThrottled(fault) ? null : problemOf(fault);
}

function problemOf(fault: Fault): string {
  if (fault.kind === 'broken') return fault.message;
  return isContainerMissing(fault) || (fault.kind === 'reply' && fault.status < 500)
    ? denialOf(fault).message
    : `It answered ${fault.kind === 'reply' ? fault.status : 'nothing'}.`;
}
