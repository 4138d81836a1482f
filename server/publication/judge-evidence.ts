import type { Evidence } from '#server/contract/rollouts.ts';

export type SideFacts = Evidence['stage'];

/** Requests that each side needs before shares are compared. */
export const SHARES_NEED = 200;
/** Served requests that a p99 needs: 10 / (1 − 0.99). */
export const P99_NEEDS = 1_000;
/** How many standard errors apart two shares must be. One comparison in some hundred thousand is a false alarm. */
const SIGMAS = 4.5;
/** Smaller differences are not worth a halt, however sure. */
const LEAST_SHARE = 0.005;
const WORSE_P99 = 1.5;
const LEAST_P99_MS = 20;

/**
 * Whether the gateways with the new release do worse than those without it, over the same time: a larger share of failures,
 * a larger share of refusals unless the change says that somebody may do less, or a p99 half as long again. With too few
 * requests it says so, and nothing else.
 */
export function judge(facts: {
  readonly stage: SideFacts;
  readonly others: SideFacts;
  readonly narrows: boolean;
}): Pick<Evidence, 'verdict' | 'says'> {
  const { stage, others, narrows } = facts;
  const fewest = Math.min(stage.requests, others.requests);
  if (fewest < SHARES_NEED) return { verdict: 'not enough requests', says: tooFew(stage, others) };
  if (isWorseShare(stage.failed, stage, others.failed, others)) {
    return { verdict: 'worse', says: `Failed ${shares(stage.failed, stage, others.failed, others)}.` };
  }
  if (!narrows && isWorseShare(stage.refused, stage, others.refused, others)) {
    const words = shares(stage.refused, stage, others.refused, others);
    return { verdict: 'worse', says: `Refused ${words}; its change does not say that anybody may do less.` };
  }
  const p99 = p99Words(stage, others);
  if (p99 !== null && isSlower(stage, others)) return { verdict: 'worse', says: `${p99}.` };
  const failed = `Failed ${shares(stage.failed, stage, others.failed, others)}`;
  const refused = `refused ${shares(stage.refused, stage, others.refused, others)}`;
  return { verdict: 'no worse', says: `${[failed, refused, p99].filter((part) => part !== null).join(', ')}.` };
}

/** A two-proportion z test with the pooled share, and a least difference. */
function isWorseShare(count: number, stage: SideFacts, otherCount: number, others: SideFacts): boolean {
  const share = count / stage.requests;
  const otherShare = otherCount / others.requests;
  const pooled = (count + otherCount) / (stage.requests + others.requests);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / stage.requests + 1 / others.requests));
  return share - otherShare > Math.max(LEAST_SHARE, SIGMAS * error);
}

function isSlower({ p99Ms }: SideFacts, others: SideFacts): boolean {
  if (p99Ms === null || others.p99Ms === null) return false;
  return p99Ms > others.p99Ms * WORSE_P99 && p99Ms - others.p99Ms > LEAST_P99_MS;
}

function p99Words({ p99Ms }: SideFacts, others: SideFacts): string | null {
  if (p99Ms === null || others.p99Ms === null) return null;
  return `p99 ${ms(p99Ms)} against ${ms(others.p99Ms)}`;
}

function shares(count: number, stage: SideFacts, otherCount: number, others: SideFacts): string {
  return `${percent(count / stage.requests)} against ${percent(otherCount / others.requests)}`;
}

function tooFew(stage: SideFacts, others: SideFacts): string {
  const has = `${stage.requests.toLocaleString('en-GB')} with the new release, ${others.requests.toLocaleString('en-GB')} without`;
  return `Not enough requests to compare: ${has}; each side needs ${SHARES_NEED}.`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 2 : 1)} %`;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
