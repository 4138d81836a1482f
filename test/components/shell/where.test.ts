import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { crumbsOf } from '#components/shell/crumbs.ts';
import { isCurrent } from '#components/shell/nav-items.ts';
import { pastedTarget } from '#components/shell/pasted-target.ts';

describe('the way to a page', () => {
  it.each([
    ['/', ['Home']],
    ['/latency/chat', ['Latency', 'chat']],
    ['/changes/31', ['Changes', '∆31']],
    ['/releases/42', ['Releases', 'r42']],
    ['/types/a%20%F0%9F%8C%BF', ['Types', 'a 🌿']],
    ['/types/%E0%A4%A', ['Types', '%E0%A4%A']],
    ['/changes/new', ['Changes', 'New change']],
    ['/principals/chat-api', ['Tenants', 'chat-api']],
    ['/errors/operations/edge.list', ['API & errors', 'edge.list']],
  ])('%s', (path, labels) => {
    expect(crumbsOf(path).map(({ label }) => label)).toEqual(labels);
  });

  it('never leads to a path that is no page', () => {
    const pages = ['errors/operations/[id]', 'errors/[code]', 'principals/[name]', 'requests/[id]', 'changes/new'];
    const hrefs = pages.flatMap((page) => crumbsOf(`/${page.replaceAll(/\[|\]/g, '')}`).slice(0, -1));
    const root = new URL('../../../app/(console)/', import.meta.url);
    for (const { href } of hrefs) expect(existsSync(new URL(`.${href}/page.tsx`, root)), href).toBe(true);
  });

  it('marks a place by its whole name', () => {
    expect(isCurrent('/types', '/types/Message')).toBe(true);
    expect(isCurrent('/types', '/types-other')).toBe(false);
    expect(isCurrent('/', '/types')).toBe(false);
  });
});

describe('a pasted id', () => {
  it.each([
    ['r42', '/releases/42'],
    ['∆31', '/changes/31'],
    ['#31', '/changes/31'],
    [' 01M8NBFWDF6WJ4RB6Y6JN1PM9N ', '/requests/01M8NBFWDF6WJ4RB6Y6JN1PM9N'],
  ])('%s leads to %s', (text, href) => {
    expect(pastedTarget(text)?.href).toBe(href);
  });

  it.each(['Message', 'r', 'r42x', '01M8NBFWDF6WJ4RB6Y6JN1PM9', ''])('%j is a name, not an id', (text) => {
    expect(pastedTarget(text)).toBeUndefined();
  });
});
