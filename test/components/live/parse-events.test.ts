import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEvents } from '#components/live/parse-events.ts';

const STREAM = ': ping\n\ndata: {"topic":"changes","seq":1}\n\nevent: x\ndata: a\ndata: b\r\n\r\n: ping\n\n';

describe('the live stream', () => {
  it('gives the data of whole events and skips pings', () => {
    expect(parseEvents(STREAM)).toEqual({ data: ['{"topic":"changes","seq":1}', 'a\nb'], rest: '' });
  });

  it('reads the same however the network cuts it', () => {
    const text = STREAM.replace(/\r/g, '');
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 5 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), text.length];
        let rest = '';
        const data = edges.slice(1).flatMap((edge, at) => {
          const batch = parseEvents(rest + text.slice(edges[at], edge));
          rest = batch.rest;
          return batch.data;
        });
        expect(data).toEqual(['{"topic":"changes","seq":1}', 'a\nb']);
      }),
    );
  });
});
