import { apiStream, ConsoleError } from '#components/api-client.ts';
import { LiveEvent, type LiveTopic } from '#server/contract/shell.ts';
import { parseEvents } from './parse-events.ts';

/** `lost` since a moment: pages ask by themselves every 5 s until it is back. */
export type LiveStatus = { readonly kind: 'live' } | { readonly kind: 'lost'; readonly sinceMs: number };

interface LiveLinkOptions {
  readonly onTopic: (topic: LiveTopic) => void;
  readonly onStatus: (status: LiveStatus) => void;
  readonly nowMs: () => number;
}

type Note = { readonly topic: LiveTopic } | { readonly status: LiveStatus } | { readonly ask: true };

const NAME = 'habitat-live';
const RETRY_MS = 5000;
/** The console writes a ping every 15 s; three missed ones mean that the line is dead although nothing closed it. */
const SILENCE_MS = 45_000;

/**
 * One server-sent event stream per browser: HTTP/1.1 allows six connections to a host, and eight tabs would use them up.
 * The tab that holds the Web Lock reads the stream and forwards it; a hidden tab lets go of it. Events carry a topic
 * only, so rights are checked again where the data is fetched.
 */
export class LiveLink {
  readonly #options: LiveLinkOptions;
  readonly #channel = new BroadcastChannel(NAME);
  #stop: AbortController | undefined;
  #status: LiveStatus | undefined;
  #isOwner = false;

  constructor(options: LiveLinkOptions) {
    this.#options = options;
    this.#channel.onmessage = ({ data }: MessageEvent<Note>) => this.#hear(data);
  }

  /** The tab became visible: take part, and own the stream when no other tab does. */
  start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#tell({ ask: true });
    // Without locks (an old browser, or plain http on another host) every tab has its own stream.
    if (navigator.locks === undefined) void this.#own(stop.signal);
    else navigator.locks.request(NAME, { signal: stop.signal }, () => this.#own(stop.signal)).catch(() => undefined);
  }

  /** The tab was hidden or left: another tab may own the stream. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    this.#isOwner = false;
  }

  close(): void {
    this.stop();
    this.#channel.close();
  }

  async #own(signal: AbortSignal): Promise<void> {
    this.#isOwner = true;
    while (!signal.aborted) {
      await this.#read(signal).catch(() => this.#lose(signal));
      await pause(RETRY_MS, signal);
    }
  }

  /** Reads until the stream ends, which is always a loss: the console never ends it by itself. */
  async #read(signal: AbortSignal): Promise<void> {
    const silence = new AbortController();
    const reader = (await apiStream('/api/live', AbortSignal.any([signal, silence.signal]))).getReader();
    this.#setStatus({ kind: 'live' });
    let rest = '';
    for (;;) {
      const timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) throw new ConsoleError({ code: 'unreachable', message: 'The live stream ended.', retryable: true });
      const batch = parseEvents(rest + value);
      rest = batch.rest;
      for (const data of batch.data) this.#deliver(data);
    }
  }

  #deliver(data: string): void {
    const event = LiveEvent.safeParse(parseJson(data));
    if (!event.success) return;
    this.#tell({ topic: event.data.topic });
    this.#options.onTopic(event.data.topic);
  }

  #lose(signal: AbortSignal): void {
    if (signal.aborted || this.#status?.kind === 'lost') return;
    this.#setStatus({ kind: 'lost', sinceMs: this.#options.nowMs() });
  }

  #setStatus(status: LiveStatus): void {
    this.#status = status;
    this.#tell({ status });
    this.#options.onStatus(status);
  }

  #hear(note: Note): void {
    if (this.#stop === undefined) return;
    if ('topic' in note) this.#options.onTopic(note.topic);
    else if ('status' in note) this.#options.onStatus(note.status);
    else if (this.#isOwner && this.#status !== undefined) this.#tell({ status: this.#status });
  }

  #tell(note: Note): void {
    this.#channel.postMessage(note);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
