import type { AttemptRecord } from '#gateway/contract/telemetry.ts';

/** What Cosmos DB said to one attempt: `503`, `429/3200, asked to wait 30 ms`, `no reply`. */
export function answerWords({ status, subStatus, overtaken, retryAfterMs }: AttemptRecord): string {
  if (overtaken) return 'overtaken by the other read';
  if (status === 0) return 'no reply';
  const wait = retryAfterMs === null ? '' : `, asked to wait ${retryAfterMs}\u00a0ms`;
  return `${status}${subStatus === 0 ? '' : `/${subStatus}`}${wait}`;
}

/** *503 in East, then 200 in West*: the answers that were waited for, in order, each with its region where it is known. */
export function answersWords(attempts: readonly AttemptRecord[]): string {
  return attempts
    .filter(({ overtaken }) => !overtaken)
    .map(({ status, region }) => `${status === 0 ? 'not at all' : status}${region === '' ? '' : ` in ${region}`}`)
    .join(', then ');
}

/** The regions that were asked, each once, in the order of the first attempt. */
export function regionsOf(attempts: readonly AttemptRecord[]): readonly string[] {
  return [...new Set(attempts.map(({ region }) => region).filter((region) => region !== ''))];
}
