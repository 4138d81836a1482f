// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button } from '#components/ui/button.tsx';
import { Menu } from '#components/ui/menu.tsx';
import { find, openPage, type Page } from './page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

const ITEMS = [{ label: 'A new change' }, { label: 'Hand over' }];

async function openMenu(): Promise<{ readonly page: Page; readonly button: HTMLElement }> {
  const shown = openPage(<Menu trigger={<Button>More</Button>} items={ITEMS} />);
  page = shown;
  const button = find('button', 'More');
  shown.focus(button);
  shown.press('ArrowDown', button);
  await vi.waitFor(() => find('[role=menu]'), 15_000);
  return { page: shown, button };
}

const focusedRole = () => document.activeElement?.getAttribute('role');

describe('a menu', () => {
  it('takes the focus of its button with the arrow key, also when it is open already', async () => {
    const { page: shown, button } = await openMenu();
    shown.focus(button);
    expect(find('[role=menu]')).toBeDefined();
    shown.press('ArrowDown', button);
    await vi.waitFor(() => expect(focusedRole()).toBe('menuitem'), 15_000);
  });

  it('keeps the focus when it was opened again before the last one had gone', async () => {
    const { page: shown, button } = await openMenu();
    shown.click(button);
    shown.click(button);
    const menu = find('[role=menu]');
    // The focus of the one that closed comes back a turn later.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(menu.contains(document.activeElement)).toBe(true);
    shown.click(button);
    await vi.waitFor(() => expect(document.activeElement).toBe(button), 15_000);
  });
});
