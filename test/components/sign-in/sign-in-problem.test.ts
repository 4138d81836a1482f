import { describe, expect, it } from 'vitest';
import { pathAfterSignIn, signInProblem } from '#components/sign-in/sign-in-problem.ts';

describe('after signing in', () => {
  it.each([
    ['/changes/31?tab=diff', '/changes/31?tab=diff'],
    ['http://localhost:3000/audit', '/audit'],
    ['https://evil.example/audit', '/audit'],
    ['//evil.example', '/'],
    ['https://a.example//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/sign-in?error=x', '/'],
    [undefined, '/'],
  ])('%s leads to %s of this console', (callbackUrl, path) => {
    expect(pathAfterSignIn(callbackUrl)).toBe(path);
  });

  it('names what went wrong, also when the code is new', () => {
    expect(signInProblem('AccessDenied')).toMatch(/may not use this console/);
    expect(signInProblem('SomethingNew')).toBe('The sign-in failed. Try again.');
    expect(signInProblem(undefined)).toBeUndefined();
  });
});
