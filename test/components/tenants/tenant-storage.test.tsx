// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { StoredSentence } from '#components/definitions/stored-sentence.tsx';
import { TenantStorage } from '#components/tenants/tenant-storage.tsx';
import type { StoredByType } from '#server/contract/definitions.ts';
import { openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

const STORED: StoredByType = {
  asOfMs: 1_000,
  types: [
    { type: 'members', count: 9, bytes: 900 },
    { type: 'User', count: 2, bytes: 4_096 },
  ],
};

function textOf(content: React.ReactNode): string {
  page = openPage(content);
  return page.body.textContent ?? '';
}

it('what is stored of a tenant is listed by type, the largest first', () => {
  textOf(<TenantStorage name="chat" stored={STORED} />);
  const rows = [...document.querySelectorAll('tbody [role=row]')].map((row) => row.textContent);
  expect(rows).toEqual([
    expect.stringContaining('User2 objects4\u00a0KB'),
    expect.stringContaining('members9 edges900\u00a0B'),
  ]);
});

it.each([
  [undefined, 'is seen by the team that owns it'],
  [null, 'Not counted yet.'],
  [{ asOfMs: 1, types: [] }, 'Nothing is stored of chat.'],
])('without rows it says why: %j', (stored, says) => {
  expect(textOf(<TenantStorage name="chat" stored={stored} />)).toContain(says);
});

it.each([
  [null, 'Stored: not counted yet.'],
  [STORED, 'Stored: 2 objects and 9 edges, 4.9\u00a0KB (all tenants, counted'],
])('in one sentence: %j', (stored, says) => {
  expect(textOf(<StoredSentence stored={stored} over="all tenants" />)).toContain(says);
});

it('to whom may not see it, no sentence is said', () => {
  expect(textOf(<StoredSentence stored={undefined} over="all tenants" />)).toBe('');
});
