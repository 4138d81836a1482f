import 'server-only';
import type { LiveTopic } from '#server/contract/shell.ts';
import type { Database } from '#server/db/client.ts';
import { readStandings } from '#server/db/gateway-standing.ts';

/** Time alone makes a gateway silent or behind; nobody notifies that, so it is looked for this often. */
const LOOK_EVERY_MS = 2_500;

interface Pulse {
  readonly hearers: Set<(topic: LiveTopic) => void>;
  timer: NodeJS.Timeout;
}

/** One per database, so that a hundred open streams of a process ask once. */
const pulses = new WeakMap<Database, Pulse>();

/**
 * Tells `shell`, `gateways`, `releases` and `inbox` when the state of a gateway changed with time. Runs while somebody
 * listens. Returns the way to stop listening.
 */
export function joinPulse(db: Database, now: () => number, hear: (topic: LiveTopic) => void): () => void {
  const pulse = pulses.get(db) ?? startPulse(db, now);
  pulse.hearers.add(hear);
  return () => {
    pulse.hearers.delete(hear);
    if (pulse.hearers.size > 0 || pulses.get(db) !== pulse) return;
    clearInterval(pulse.timer);
    pulses.delete(db);
  };
}

function startPulse(db: Database, now: () => number): Pulse {
  let last: string | undefined;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    // A database that is away is told by every request of the page; the next look may succeed.
    const states = await statesOf(db, now()).catch(() => last);
    isLooking = false;
    if (last !== undefined && states !== last) {
      for (const hear of [...pulse.hearers]) for (const topic of TOPICS) hear(topic);
    }
    last = states;
  };
  const pulse: Pulse = { hearers: new Set(), timer: setInterval(() => void look(), LOOK_EVERY_MS).unref() };
  pulses.set(db, pulse);
  void look();
  return pulse;
}

const TOPICS = ['shell', 'gateways', 'releases', 'inbox'] as const;

async function statesOf(db: Database, nowMs: number): Promise<string> {
  const { target, gateways } = await readStandings(db, nowMs);
  return JSON.stringify([target?.number, gateways.map(({ name, state, serves }) => [name, state, serves])]);
}
