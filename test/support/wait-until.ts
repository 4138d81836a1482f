import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;

/** Polls until `holds` says yes. The deadline only bounds a failure; a pass never waits for it. */
export async function waitUntil(holds: () => boolean | Promise<boolean>, timeoutMs = 45_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${holds}`);
    await pause(POLL_MS);
  }
}
