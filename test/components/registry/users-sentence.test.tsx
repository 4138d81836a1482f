// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { UsersSentence } from '#components/registry/users-sentence.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

const ALL = ['object.read', 'object.write', 'object.delete'];
const READ = ['object.read'];

it.each([
  [[], 'No policy lets any principal use it: every request for it is refused as forbidden.'],
  [[['triage', READ]], 'triage may read.'],
  [
    [
      ['chat-api', ALL],
      ['triage', READ],
      ['search', ALL],
    ],
    'chat-api and search may read, write and delete; triage may read.',
  ],
  [
    [
      ['a', READ],
      ['b', READ],
      ['c', READ],
      ['d', READ],
    ],
    'a, b and c may read; 1 other principal may use it.',
  ],
] as const)('who may use it, in one sentence that says each right once: %j', (users, says) => {
  const detail = {
    removed: null,
    users: users.map(([principal, actions]) => ({ principal, tenant: 'chat', actions: [...actions] })),
  };
  page = openPage(<UsersSentence detail={detail as unknown as DefinitionDetail} />);
  expect(page.body.querySelector('p')?.textContent).toBe(says);
});
