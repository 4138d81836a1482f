// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useStateNews } from '#components/changes/use-state-news.ts';
import type { ChangeRow } from '#server/contract/changes.ts';
import { find, openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  page?.close();
  page = undefined;
  vi.useRealTimers();
});

function Change({ state }: Pick<ChangeRow, 'state'>) {
  useStateNews({ row: { number: 31, state } });
  return (
    <main id="main" tabIndex={-1}>
      {state === 'draft' ? <button type="button">Send to review</button> : <p>Waits for Bo.</p>}
      <button type="button">Comment</button>
    </main>
  );
}

function said() {
  page?.wait(500);
  return [...document.querySelectorAll('[role=status] p')].map((line) => line.textContent);
}

it('a new state is said once, and the focus stays on the page when the act that had it is gone', () => {
  page = openPage(<Change state="draft" />);
  expect(said()).toEqual([]);
  page.focus(find('button', 'Send to review'));
  page.show(<Change state="in review" />);
  expect(said()).toEqual(['∆31 is now: in review']);
  expect(document.activeElement).toBe(find('main'));
  page.show(<Change state="in review" />);
  expect(said()).toEqual(['∆31 is now: in review']);
});

it('a state that another person set leaves the focus where it is', () => {
  page = openPage(<Change state="draft" />);
  page.focus(find('button', 'Comment'));
  page.show(<Change state="in review" />);
  expect(said()).toEqual(['∆31 is now: in review']);
  expect(document.activeElement).toBe(find('button', 'Comment'));
});
