import { describe, expect, it } from 'vitest';
import { filterQuery, lineOf, readLine } from '#components/requests/request-filter.ts';
import { RequestQuery } from '#server/contract/requests.ts';

const commit = (text: string) => {
  const line = readLine(text);
  if (line.kind !== 'change') throw new Error(`not a filter: ${JSON.stringify(line)}`);
  return new URLSearchParams(
    Object.entries(line.change).filter((entry): entry is [string, string] => entry[1] !== null),
  );
};

describe('the filter of requests', () => {
  it('survives the URL: what was committed is what stands in the line', () => {
    const line = 'tenant:chat outcome:refused principal:search slower:20ms';
    expect(lineOf(commit(line))).toBe(line);
  });

  it('becomes a question that the server reads', () => {
    const asked = filterQuery(commit('release:r42 code:forbidden operation:edge.list slower:1.5s faster:2s'));
    expect(RequestQuery.parse(asked)).toMatchObject({
      release: 42,
      code: 'forbidden',
      operation: 'edge.list',
      fromUs: 1_500_000,
      toUs: 2_000_000,
    });
  });

  it('goes back to the first page', () => {
    expect(readLine('tenant:chat')).toMatchObject({ change: { cursor: null, tenant: 'chat', code: null } });
  });

  it('opens the page of a request id that was pasted', () => {
    expect(readLine('req_9fA31bQ77x')).toEqual({ kind: 'request', id: 'req_9fA31bQ77x' });
  });

  it.each(['outcome:fine', 'slower:soon', 'release:newest', 'chat', '-tenant:chat', 'tenant:a tenant:b'])(
    'says what it cannot read: %s',
    (text) => {
      expect(readLine(text)).toMatchObject({ kind: 'fault', message: expect.stringMatching(/./) });
    },
  );
});
