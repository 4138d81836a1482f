import 'server-only';
import pg from 'pg';
import { LIVE_TOPICS, type LiveTopic } from '#server/contract/shell.ts';
import { NOTIFY_CHANNEL } from './notify.ts';

/** One connection that hears every NOTIFY of the console's processes. */
export interface Listener {
  /** Calls `hear` for each topic until the returned function is called. Opens the connection at first use. */
  subscribe(hear: (topic: LiveTopic) => void): () => void;
  /** False while the connection is being made again; then nothing is heard. */
  isConnected(): boolean;
  close(): Promise<void>;
}

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;

/**
 * Listens on the one channel and reconnects for ever. After each connection every topic is told once, since what was
 * said while nobody listened is lost: a subscriber that reads again on a topic misses nothing.
 */
export function createListener(databaseUrl: string): Listener {
  const hearers = new Set<(topic: LiveTopic) => void>();
  let client: pg.Client | null = null;
  let connected = false;
  let closed = false;
  let opened = false;
  let delayMs = FIRST_DELAY_MS;
  let timer: NodeJS.Timeout | undefined;

  const tell = (topic: LiveTopic) => {
    for (const hear of [...hearers]) hear(topic);
  };

  const connect = async () => {
    const fresh = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 5_000,
      // A peer that vanished without a word is noticed.
      keepAlive: true,
      application_name: 'habitat listener',
    });
    client = fresh;
    let lost = false;
    const onLost = () => {
      if (lost) return;
      lost = true;
      connected = false;
      fresh.end().catch(() => undefined);
      if (!closed) timer = setTimeout(connect, nextDelay()).unref();
    };
    fresh.on('error', onLost);
    fresh.on('end', onLost);
    fresh.on('notification', ({ payload }) => {
      const topic = LIVE_TOPICS.find((known) => known === payload);
      if (topic !== undefined) tell(topic);
    });
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${NOTIFY_CHANNEL}`);
      connected = true;
      delayMs = FIRST_DELAY_MS;
      for (const topic of LIVE_TOPICS) tell(topic);
    } catch {
      // The reason reaches people through the queries that fail at the same time.
      onLost();
    }
  };

  const nextDelay = () => {
    const now = delayMs * (0.75 + Math.random() / 2);
    delayMs = Math.min(LONGEST_DELAY_MS, delayMs * 2);
    return now;
  };

  return {
    subscribe(hear) {
      hearers.add(hear);
      if (!opened && !closed) {
        opened = true;
        void connect();
      }
      return () => hearers.delete(hear);
    },
    isConnected: () => connected,
    async close() {
      closed = true;
      clearTimeout(timer);
      hearers.clear();
      await client?.end().catch(() => undefined);
    },
  };
}
