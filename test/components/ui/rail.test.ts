import { describe, expect, it } from 'vitest';
import { railSentence } from '#components/ui/rail.tsx';

describe('the release rail', () => {
  it('says in words what its cells show', () => {
    const gateways = [
      { name: 'gw-a', state: 'live' },
      { name: 'gw-b', state: 'rejected' },
      { name: 'gw-c', state: 'silent' },
    ] as const;
    expect(railSentence(42, gateways)).toBe('Release 42: 1 of 3 live, 1 rejected, 1 silent.');
  });

  it('never says live when nothing is', () => {
    expect(railSentence(42, [{ name: 'gw-a', state: 'silent' }])).toBe('Release 42: 1 of 1 silent.');
    expect(railSentence(42, [])).toBe('Release 42: no gateway is connected.');
    expect(railSentence(null, [])).toBe('No release yet: no gateway is connected.');
  });
});
