import type { Shot } from './mix.ts';

/** What became of one request. */
export interface Hit {
  readonly operation: string;
  /** `200`, or the code of a refusal, or why no answer came. */
  readonly result: string;
  readonly isServed: boolean;
  /** From the moment at which it was due, so that a stall counts. */
  readonly ms: number;
}

export interface Target {
  readonly gatewayUrl: string;
  readonly key: string;
}

const TIMEOUT_MS = 10_000;

/** Sends one request. Never rejects: no answer is a result too. */
export async function send(shot: Shot, dueMs: number, target: Target): Promise<Hit> {
  const { operation, method, path, body } = shot;
  const end = (result: string, isServed: boolean) => ({ operation, result, isServed, ms: performance.now() - dueMs });
  try {
    const response = await fetch(`${target.gatewayUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${target.key}`,
        'user-agent': 'habitat-traffic',
        'content-type': 'application/json',
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (response.ok) return end(String(response.status), true);
    const code: unknown = JSON.parse(text)?.error?.code;
    return end(String(code ?? response.status), code === 'object_not_found' || code === 'edge_not_found');
  } catch (error) {
    return end(error instanceof Error ? error.name : 'no answer', false);
  }
}

/**
 * Sends at a steady rate, whatever the answers take (an open loop: a slow gateway does not slow the load), but never
 * more than `maxOpen` at once. `onHit` hears of each.
 */
export async function sendSteadily(
  next: () => Shot,
  pace: { readonly perSecond: number; readonly seconds: number; readonly maxOpen: number },
  ports: { readonly target: Target; readonly onHit: (hit: Hit) => void; readonly isStopped: () => boolean },
): Promise<void> {
  const startMs = performance.now();
  const open = new Set<Promise<void>>();
  for (let index = 0; index < pace.perSecond * pace.seconds && !ports.isStopped(); index++) {
    const dueMs = startMs + (index * 1_000) / pace.perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    while (open.size >= pace.maxOpen) await Promise.race(open);
    const one: Promise<void> = send(next(), dueMs, ports.target)
      .then(ports.onHit)
      .finally(() => open.delete(one));
    open.add(one);
  }
  await Promise.all(open);
}
