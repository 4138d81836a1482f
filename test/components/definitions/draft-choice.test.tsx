// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { DraftChoice } from '#components/definitions/draft-choice.tsx';
import { find, openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
afterEach(() => page?.close());

const IDLE = { isPending: false, isError: false, error: null };
const DRAFTS = [
  { number: 7, title: 'Raise the limit', touches: true },
  { number: 9, title: 'Another matter', touches: false },
];

function open(drafts: typeof DRAFTS) {
  const chosen: (number | undefined)[] = [];
  page = openPage(
    <DraftChoice
      label="Edit in a change"
      menuLabel="More ways"
      drafts={drafts}
      onChoose={(change) => chosen.push(change)}
      act={IDLE}
    />,
  );
  return chosen;
}

it('the button starts a new change, however many drafts are open', () => {
  const chosen = open(DRAFTS);
  page?.click(find('button', 'Edit in a change'));
  expect(chosen).toEqual([undefined]);
});

it('an open draft is two presses away from the keyboard', async () => {
  const chosen = open(DRAFTS);
  const trigger = find('button[aria-label="More ways"]');
  page?.focus(trigger);
  page?.press('ArrowDown', trigger);
  await vi.waitFor(() => expect(document.querySelectorAll('[role=menuitem]')).toHaveLength(2), { timeout: 15_000 });
  const [first] = document.querySelectorAll<HTMLElement>('[role=menuitem]');
  expect(first?.textContent).toContain('∆7 Raise the limit');
  expect(first?.textContent).toContain('edits it already');
  page?.press('Enter', first ?? null);
  expect(chosen).toEqual([7]);
});

it('without drafts and further acts there is no menu', () => {
  open([]);
  expect(document.querySelector('button[aria-label="More ways"]')).toBeNull();
});
