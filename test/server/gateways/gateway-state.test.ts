import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  durationWords,
  type GatewayFacts,
  type GatewayStanding,
  gatewayState,
  hasLeft,
  isAllLive,
  liveSentence,
} from '#server/contract/gateway-state.ts';

const NOW = 1_800_000_000_000;
const r1 = { epoch: 1, number: 1 };
const r2 = { epoch: 1, number: 2 };
const target = { release: r2, minGatewayVersion: '0.1.0', publishedMs: NOW - 60_000 };

function gateway(more: Partial<GatewayFacts> = {}): GatewayFacts {
  return {
    name: 'gw-a',
    version: '0.1.0',
    lastHeardMs: NOW - 1_000,
    leftAtMs: null,
    serves: r1,
    answer: null,
    ...more,
  };
}
const answer = (state: 'live' | 'applying' | 'rejected', agoMs = 5_000) => ({
  state,
  atMs: NOW - agoMs,
  reason: state === 'rejected' ? 'does not know the kind "view"' : null,
});

describe('state of a gateway against the target', () => {
  it.each([
    ['it acked and serves the target', gateway({ serves: r2, answer: answer('live') }), 'live'],
    ['it serves the target but has not acked', gateway({ serves: r2 }), 'applying'],
    ['it acked, then restarted with an older release', gateway({ answer: answer('live') }), 'behind'],
    ['it said that it is applying', gateway({ answer: answer('applying') }), 'applying'],
    ['it has been applying for too long', gateway({ answer: answer('applying', 31_000) }), 'behind'],
    ['it rejected the target', gateway({ answer: answer('rejected') }), 'rejected'],
    ['it did not answer in time', gateway(), 'behind'],
    ['it is too old for the target', gateway({ version: '0.0.9' }), 'too old'],
    [
      'nothing was heard of it, even if it was live',
      gateway({ serves: r2, answer: answer('live'), lastHeardMs: NOW - 30_001 }),
      'silent',
    ],
    ['the epoch is another', gateway({ serves: { epoch: 2, number: 2 } }), 'behind'],
  ] as const)('when %s: %#', (_, facts, state) => {
    expect(gatewayState(facts, target, NOW)).toBe(state);
  });

  it('just after a publish, no answer yet means applying', () => {
    expect(gatewayState(gateway(), { ...target, publishedMs: NOW - 2_000 }, NOW)).toBe('applying');
  });

  it('before the first publish it waits', () => {
    expect(gatewayState(gateway({ serves: null }), null, NOW)).toBe('applying');
  });

  it('it has left when it drained, or after a day of silence', () => {
    expect(hasLeft(gateway(), NOW)).toBe(false);
    expect(hasLeft(gateway({ leftAtMs: NOW }), NOW)).toBe(true);
    expect(hasLeft(gateway({ lastHeardMs: NOW - 86_400_001 }), NOW)).toBe(true);
  });
});

describe('where a release is live, in words', () => {
  const standing = (name: string, state: GatewayStanding['state'], serves: number | null = 1): GatewayStanding => ({
    name,
    state,
    serves,
    lastHeardMs: NOW - 240_000,
  });

  it.each([
    [[], 'Not live: no gateway is connected.'],
    [[standing('gw-a', 'live', 2)], 'Live on 1 of 1.'],
    [[standing('gw-a', 'rejected')], 'Not live: gw-a rejected it and serves r1.'],
    [
      [standing('gw-a', 'live', 2), standing('gw-b', 'rejected'), standing('gw-c', 'silent')],
      'Live on 1 of 3: gw-b rejected it and serves r1, gw-c silent 4 min (last served r1).',
    ],
    [[standing('gw-a', 'behind', null)], 'Not live: gw-a is behind and serves nothing.'],
  ])('%#', (gateways, sentence) => {
    expect(liveSentence(gateways, NOW)).toBe(sentence);
  });

  it('names three and counts the rest', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => standing(name, 'behind'));
    expect(liveSentence(many, NOW)).toMatch(/c is behind and serves r1, 2 more not live\.$/);
  });

  it('is all-live only with a gateway', () => {
    expect(isAllLive([])).toBe(false);
    expect(isAllLive([{ state: 'live' }, { state: 'silent' }])).toBe(false);
    expect(isAllLive([{ state: 'live' }])).toBe(true);
  });

  it('lengths of time and versions read as people read them', () => {
    expect([4_000, 240_000, 3 * 3_600_000, 72 * 3_600_000].map(durationWords)).toEqual([
      '4 s',
      '4 min',
      '3 h',
      '3 days',
    ]);
    expect(compareVersions('1.10.0', '1.9.3')).toBeGreaterThan(0);
    expect(compareVersions('1.4.0-rc.1', '1.4.0')).toBe(0);
  });
});
