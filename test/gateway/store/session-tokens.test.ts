import { describe, expect, it } from 'vitest';
import { createSessionTokens } from '#gateway/store/session-tokens.ts';

const names = { account: 'local', container: 'main' };
const token = (range: string, text: string, account = 'local') => ({ ...names, account, range, token: text });

describe('session tokens', () => {
  it('of the last reply go with the next read of that partition', () => {
    const tokens = createSessionTokens(names);
    expect(tokens.forRead('pk', [])).toBeUndefined();
    expect(tokens.note('pk', '0:-1#12')).toEqual([token('0', '-1#12')]);
    expect(tokens.forRead('pk', [])).toBe('0:-1#12');
    expect(tokens.forRead('another', [])).toBeUndefined();
  });

  it('of the client and of this gateway are both honoured: the newer of a range is sent', () => {
    const tokens = createSessionTokens(names);
    tokens.note('pk', '0:-1#12');
    expect(tokens.forRead('pk', [token('0', '-1#9')])).toBe('0:-1#12');
    expect(tokens.forRead('pk', [token('0', '-1#100')])).toBe('0:-1#100');
    expect(tokens.forRead('pk', [token('1', '2#7#1=3')])).toBe('0:-1#12,1:2#7#1=3');
  });

  it('of another account are not sent', () => {
    const tokens = createSessionTokens(names);
    expect(tokens.forRead('pk', [token('0', '-1#9', 'elsewhere')])).toBeUndefined();
  });
});
