// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pager } from '#components/ui/pager.tsx';
import { find, openPage, type Page } from './page.tsx';

let page: Page | undefined;
const pushed: string[] = [];
beforeEach(() => {
  pushed.length = 0;
  vi.spyOn(history, 'pushState').mockImplementation((_state, _title, url) => {
    pushed.push(String(url));
  });
});
afterEach(() => {
  page?.close();
  vi.restoreAllMocks();
});

const pager = (cursors: { readonly next?: string; readonly previous?: string }, isTurning: boolean) => (
  <Pager
    page={{ ...cursors, items: Array.from({ length: 50 }), total: 120 }}
    isTurning={isTurning}
    noun="types"
    words={{ previous: 'Back', next: 'Next' }}
  />
);

/** Whether the page took the click, so that the browser does not follow the link. */
function click(text: string, held: MouseEventInit = {}): boolean {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...held });
  find('nav a', text).dispatchEvent(event);
  return event.defaultPrevented;
}

it('turns the page at once, without asking the server for a page around the list', () => {
  page = openPage(pager({ next: 'c2' }, false));
  expect(click('Next')).toBe(true);
  expect(pushed).toEqual([expect.stringMatching(/[?&]cursor=c2$/)]);
});

it('while a page is on its way, both links say so and lead nowhere', () => {
  page = openPage(pager({ next: 'c2', previous: 'c0' }, false));
  click('Next');
  page.show(pager({ next: 'c2', previous: 'c0' }, true));
  expect(find('nav').getAttribute('aria-busy')).toBe('true');
  for (const link of document.querySelectorAll('nav a')) expect(link.getAttribute('aria-disabled')).toBe('true');
  expect(find('nav a', 'Next').textContent).toBe('Next…');
  expect(click('Next')).toBe(true);
  expect(click('Back', { ctrlKey: true })).toBe(true);
  expect(pushed).toHaveLength(1);

  page.show(pager({ next: 'c3', previous: 'c1' }, false));
  click('Next');
  expect(pushed.at(-1)).toMatch(/[?&]cursor=c3$/);
});

it('a modifier opens the page elsewhere', () => {
  page = openPage(pager({ next: 'c2' }, false));
  expect(click('Next', { ctrlKey: true })).toBe(false);
  expect(pushed).toEqual([]);
});
