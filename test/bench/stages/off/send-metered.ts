import * as real from '#gateway/store/http/send-metered.ts';

const kept = new Map<string, real.WireReply>();

/** Each read of an item leaves once; from then on its first reply is given again, without a connection. */
export const sendMetered: typeof real.sendMetered = async (list, request, scope) => {
  const isRead = request.method === 'GET' && request.path.includes('/docs/');
  const key = `${request.headers['x-ms-documentdb-partitionkey']}${request.path}`;
  const known = isRead ? kept.get(key) : undefined;
  if (known === undefined) {
    const reply = await real.sendMetered(list, request, scope);
    if (isRead && reply.status === 200) kept.set(key, reply);
    return reply;
  }
  if (scope !== undefined) Object.assign(scope, { wasLent: true, wasSent: true });
  scope?.meter.add({ status: 200, subStatus: 0, ru: 1, us: 1, retryAfterMs: null });
  return known;
};
