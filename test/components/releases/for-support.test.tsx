// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { ForSupport, sectionWords } from '#components/releases/for-support.tsx';
import { SECTION_KINDS } from '#gateway/contract/release.ts';
import type { ReleaseDetail } from '#server/contract/releases.ts';
import { find, openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
afterEach(() => page?.close());

it('names every part of a release in words', () => {
  for (const kind of SECTION_KINDS) expect(sectionWords(kind)).toMatch(/^[a-z]+( types)?$/);
  expect(sectionWords('objectType')).toBe('object types');
});

it('hashes are folded away until somebody asks for them, and are copied whole', () => {
  const sha256 = 'ab'.repeat(32);
  const detail = {
    row: { number: 42 },
    sha256,
    signingKeyId: 'k1',
    formatVersion: 2,
    sections: [{ kind: 'key', sha256, bytes: 10, changed: true }],
  } as unknown as ReleaseDetail;
  page = openPage(<ForSupport detail={detail} />);
  expect(find('details').hasAttribute('open')).toBe(false);
  expect(find('button[aria-label="Copy the hash of the release"]')).toBeDefined();
  expect(find('details').textContent).not.toContain(sha256);
});
