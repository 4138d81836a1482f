import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LiveLink, type LiveStatus } from '#components/live/live-link.ts';
import { startConsoleServer } from '#test/components/console-server.ts';

/** Streams that are open now, in the order in which they were opened. */
let streams: ServerResponse[] = [];
let opened = 0;
const tabs: LiveLink[] = [];
let close: () => Promise<void> = async () => undefined;

afterEach(async () => {
  for (const tab of tabs.splice(0)) tab.close();
  await close();
  streams = [];
  opened = 0;
});

async function startStreams() {
  ({ close } = await startConsoleServer((request, response) => {
    opened += 1;
    streams.push(response);
    request.on('close', () => {
      streams = streams.filter((stream) => stream !== response);
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': ping\n\n');
  }));
}

function openTab() {
  const topics: string[] = [];
  const statuses: LiveStatus[] = [];
  const link = new LiveLink({
    onTopic: (topic) => topics.push(topic),
    onStatus: (status) => statuses.push(status),
    nowMs: () => 1000,
  });
  tabs.push(link);
  link.start();
  return { link, topics, statuses };
}

/** Like `vi.waitFor`, which gives up after a second, too soon for a busy machine. */
const holds = (claim: () => void) => vi.waitFor(claim, { timeout: 45_000 });

const say = (topic: string) => streams[0]?.write(`data: {"topic":"${topic}","seq":1}\n\n`);

describe('live updates', () => {
  it('use one stream for all tabs of a browser, and every tab hears of every topic', async () => {
    await startStreams();
    const [first, second] = [openTab(), openTab()];
    await holds(() => expect(first.statuses).toEqual([{ kind: 'live' }]));
    say('changes');
    await holds(() => expect([first.topics, second.topics]).toEqual([['changes'], ['changes']]));
    expect(opened).toBe(1);
  });

  it('pass to another tab when the one that holds the stream is hidden', async () => {
    await startStreams();
    const [first, second] = [openTab(), openTab()];
    await holds(() => expect(opened).toBe(1));
    first.link.stop();
    await holds(() => expect(opened).toBe(2));
    await holds(() => expect(streams).toHaveLength(1));
    say('audit');
    await holds(() => expect(second.topics).toEqual(['audit']));
    expect(first.topics).toEqual([]);
  });

  it('tell every tab that they are lost, and since when', async () => {
    await startStreams();
    const [first, second] = [openTab(), openTab()];
    await holds(() => expect(second.statuses).toEqual([{ kind: 'live' }]));
    streams[0]?.destroy();
    await holds(() =>
      expect([first.statuses.at(-1), second.statuses.at(-1)]).toEqual(Array(2).fill({ kind: 'lost', sinceMs: 1000 })),
    );
  });

  it('ignore what is no event of the contract', async () => {
    await startStreams();
    const tab = openTab();
    await holds(() => expect(tab.statuses).toHaveLength(1));
    streams[0]?.write('data: not json\n\ndata: {"topic":"secrets","seq":1}\n\n');
    say('inbox');
    await holds(() => expect(tab.topics).toEqual(['inbox']));
  });
});
