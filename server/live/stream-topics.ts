import 'server-only';
import type { Ctx } from '#server/context.ts';
import type { LiveTopic } from '#server/contract/shell.ts';
import { joinPulse } from './pulse.ts';

/** A comment this often keeps proxies from closing the stream and tells the browser that it is alive. */
const PING_EVERY_MS = 15_000;
/** A topic is told at most this often: what changes many times a second is read again four times. */
const QUIET_MS = 250;

/**
 * GET /api/live: server-sent events `{topic, seq}` without end. They carry no data: whoever hears one asks the verb
 * again, where rights are checked. The session was checked when the stream began, and is again at each reconnect.
 */
export async function streamTopics(ctx: Ctx): Promise<Response> {
  const startedAt = performance.now();
  const now = () => Math.round(ctx.nowMs + performance.now() - startedAt);
  const encoder = new TextEncoder();
  let stop: () => void = () => undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        try {
          controller.enqueue(encoder.encode(text));
        } catch {
          // The browser went away between two events.
          stop();
        }
      };
      const topics = createTopics((topic, seq) => write(`data: ${JSON.stringify({ topic, seq })}\n\n`));
      const ping = setInterval(() => write(': ping\n\n'), PING_EVERY_MS);
      const unsubscribe = ctx.listener.subscribe(topics.hear);
      const leavePulse = joinPulse(ctx.db, now, topics.hear);
      stop = () => {
        clearInterval(ping);
        unsubscribe();
        leavePulse();
        topics.stop();
        ctx.signal.removeEventListener('abort', end);
      };
      const end = () => {
        stop();
        controller.close();
      };
      ctx.signal.addEventListener('abort', end);
      if (ctx.signal.aborted) end();
      else write('retry: 5000\n\n');
    },
    cancel: () => stop(),
  });
  return new Response(stream, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // Nginx and its like would hold events back otherwise.
      'X-Accel-Buffering': 'no',
    },
  });
}

/** Tells a topic at once, then at most once in QUIET_MS, never losing the last. */
function createTopics(tell: (topic: LiveTopic, seq: number) => void) {
  const quiet = new Map<LiveTopic, { again: boolean; readonly timer: NodeJS.Timeout }>();
  let seq = 0;
  const say = (topic: LiveTopic) => {
    seq += 1;
    tell(topic, seq);
    const timer = setTimeout(() => {
      const again = quiet.get(topic)?.again ?? false;
      quiet.delete(topic);
      if (again) say(topic);
    }, QUIET_MS);
    quiet.set(topic, { again: false, timer });
  };
  return {
    hear: (topic: LiveTopic) => {
      const waiting = quiet.get(topic);
      if (waiting === undefined) say(topic);
      else waiting.again = true;
    },
    stop: () => {
      for (const { timer } of quiet.values()) clearTimeout(timer);
      quiet.clear();
    },
  };
}
