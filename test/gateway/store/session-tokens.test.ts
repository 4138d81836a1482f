import { describe, expect, it } from 'vitest';
import { allocateSessionRows } from '#gateway/store/session-rows.ts';
import { createSessionTokens, mergeSessions } from '#gateway/store/session-tokens.ts';

const names = { account: 'local', container: 'main' };
const token = (range: string, text: string, account = 'local') => ({ ...names, account, range, token: text });
const newTokens = (shared = allocateSessionRows()) => createSessionTokens(names, shared);

describe('session tokens', () => {
  it('of the last reply go with the next read of that partition', () => {
    const tokens = newTokens();
    expect(tokens.forRead('pk', [])).toBeUndefined();
    expect(tokens.note('pk', '0:-1#12', [])).toEqual([token('0', '-1#12')]);
    expect(tokens.forRead('pk', [])).toBe('0:-1#12');
    expect(tokens.forRead('another', [])).toBeUndefined();
  });

  it('of the client and of this gateway are both honoured: the newer of a range is sent', () => {
    const tokens = newTokens();
    tokens.note('pk', '0:-1#12', []);
    expect(tokens.forRead('pk', [token('0', '-1#9')])).toBe('0:-1#12');
    expect(tokens.forRead('pk', [token('0', '-1#100')])).toBe('0:-1#100');
    expect(tokens.forRead('pk', [token('1', '2#7#1=3')])).toBe('0:-1#12,1:2#7#1=3');
  });

  it('of another account are not sent', () => {
    expect(newTokens().forRead('pk', [token('0', '-1#9', 'elsewhere')])).toBeUndefined();
  });

  it('of a region that lags take nothing back, neither from this gateway nor from the client', () => {
    const tokens = newTokens();
    tokens.note('pk', '0:-1#12', []);
    expect(tokens.note('pk', '0:-1#7', [token('0', '-1#12')])).toEqual([token('0', '-1#12')]);
    expect(tokens.forRead('pk', [])).toBe('0:-1#12');
  });

  it('of a newer topology count as newer, though a failover took numbers back', () => {
    const tokens = newTokens();
    tokens.note('pk', '0:1#500', []);
    tokens.note('pk', '0:2#480', []);
    expect(tokens.forRead('pk', [])).toBe('0:2#480');
    tokens.note('pk', '0:1#501', []);
    expect(tokens.forRead('pk', [])).toBe('0:2#480');
  });

  it('that one worker saw go with the reads of every worker of the process', () => {
    const shared = allocateSessionRows();
    newTokens(shared).note('pk', '0:-1#12', []);
    expect(newTokens(shared).forRead('pk', [])).toBe('0:-1#12');
    newTokens(shared).forget();
    expect(newTokens(shared).forRead('pk', [])).toBeUndefined();
  });

  it('of several ranges share a row, and one that is too long keeps its newest', () => {
    const tokens = newTokens();
    const progress = (regions: number) => Array.from({ length: regions }, (_, region) => `${region}=123456`).join('#');
    const long = `1#5#${progress(25)}`;
    tokens.note('pk', '0:1#12', []);
    tokens.note('pk', '3:1#4', []);
    expect(tokens.forRead('pk', [])).toBe('3:1#4,0:1#12');
    tokens.note('pk', `7:${long}`, []);
    expect(tokens.forRead('pk', [])).toBe(`7:${long}`);
    tokens.note('pk', `8:1#6#${progress(60)}`, []);
    expect(tokens.forRead('pk', [])).toBe('8:1#6');
  });

  it('of two replies merge to the newer of each range', () => {
    const merged = mergeSessions([token('0', '1#9'), token('1', '1#2')], [token('0', '1#8'), token('2', '1#1')]);
    expect(merged).toEqual([token('1', '1#2'), token('0', '1#9'), token('2', '1#1')]);
  });
});
