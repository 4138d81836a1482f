import type { StoreParts } from '#gateway/store/parts.ts';

const PROBE_TIMEOUT_MS = 2_000;
const PROBE_PARTITION = '~probe';

/** One point read of a partition that no object has: 1 RU, and it tells whether endpoint, key and container are in order. */
export async function probe(parts: StoreParts): Promise<{ readonly reachable: boolean; readonly message: string }> {
  const call = { meter: { add: () => undefined } };
  const limits = { pk: PROBE_PARTITION, timeoutMs: PROBE_TIMEOUT_MS };
  const result = await parts.account.attempt(call, limits, async (container, signal) => {
    const response = await container.item(PROBE_PARTITION, PROBE_PARTITION).read({ abortSignal: signal });
    return { status: response.statusCode, subStatus: response.substatus ?? 0 };
  });
  if (result.kind === 'ok') {
    const isMissing = result.value.status === 404 && result.value.subStatus !== 0;
    if (isMissing) return { reachable: false, message: 'The container of this placement does not exist.' };
    return { reachable: true, message: 'Cosmos DB answers.' };
  }
  const { fault } = result;
  const reason = fault.kind === 'broken' ? fault.message : `It answered ${fault.status}.`;
  return { reachable: false, message: `Cosmos DB does not answer: ${reason}` };
}
