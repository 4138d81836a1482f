// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { Token } from '#components/ui/token.tsx';
import { find, openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

it('a glyph never stays behind at the end of a line, and a long name still wraps', () => {
  page = openPage(<Token kind="principal">chat-api</Token>);
  expect(find('span:has(> bdi)').className).toContain('whitespace-nowrap');
  expect(find('bdi').className).toContain('whitespace-normal');
});
