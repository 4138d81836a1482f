// @vitest-environment happy-dom
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { find, openPage, type Page } from './page.tsx';

let page: Page | undefined;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  page?.close();
  page = undefined;
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Everything that is said now, and whether it is said inside a modal. */
function said() {
  page?.wait(500);
  return [...document.querySelectorAll('[role=status] p')].map(
    (line) => `${line.closest('dialog') === null ? 'page' : 'dialog'}: ${line.textContent}`,
  );
}

interface ActsProps {
  readonly onUndo?: () => void;
}

function Acts({ onUndo }: ActsProps) {
  const { announce, toast } = useAnnouncer();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      <button type="button" onClick={() => announce('∆1 is now: approved')}>
        Say
      </button>
      <button type="button" onClick={() => toast('The fault is on.', onUndo)}>
        Switch on
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Revoke it?">
        <button
          type="button"
          onClick={() => {
            toast('r2 revokes it.');
            setOpen(false);
          }}
        >
          Revoke
        </button>
      </Dialog>
    </>
  );
}

describe('what is said', () => {
  it('is said inside the dialog that is open, since the page under it is silent', () => {
    page = openPage(<Acts />);
    page.click(find('button', 'Ask'));
    page.click(find('button', 'Say'));
    expect(said()).toEqual(['dialog: ∆1 is now: approved']);
    page.click(find('dialog button[aria-label=Close]'));
    expect(said()).toEqual([]);
    page.click(find('button', 'Say'));
    expect(said()).toEqual(['page: ∆1 is now: approved']);
  });

  it('by an act that closes its dialog is said on the page', () => {
    page = openPage(<Acts />);
    page.click(find('button', 'Ask'));
    page.click(find('dialog button', 'Revoke'));
    expect(said()).toEqual(['page: r2 revokes it.']);
  });

  it('in the same words is a line of its own, so that it is heard again; lines leave after a while', () => {
    page = openPage(<Acts />);
    page.click(find('button', 'Say'));
    page.click(find('button', 'Say'));
    expect(said()).toEqual(['page: ∆1 is now: approved', 'page: ∆1 is now: approved']);
    expect(find('[role=status]').getAttribute('aria-atomic')).toBe('false');
    page.wait(10_000);
    expect(said()).toEqual([]);
  });
});

describe('a note that offers to undo', () => {
  it('is said without its buttons, with where they are, and undone by a key', () => {
    const onUndo = vi.fn();
    page = openPage(<Acts onUndo={onUndo} />);
    page.click(find('button', 'Switch on'));
    expect(said()).toEqual(['page: The fault is on. Undo is in the note at the end of the page.']);
    expect(find('section[aria-label=Note]').querySelector('[role=status]')).toBeNull();
    page.press('u', document.body);
    expect(onUndo).toHaveBeenCalledOnce();
    expect(document.querySelector('section[aria-label=Note]')).toBeNull();
  });

  it('stays while somebody is at it', () => {
    page = openPage(<Acts onUndo={() => undefined} />);
    page.click(find('button', 'Switch on'));
    page.focus(find('section button', 'Undo'));
    page.wait(60_000);
    page.focus(find('button', 'Ask'));
    page.wait(10_000);
    expect(find('section[aria-label=Note]').textContent).toContain('The fault is on.');
    page.wait(20_000);
    expect(document.querySelector('section[aria-label=Note]')).toBeNull();
  });
});

describe('a button that copies', () => {
  it.each([
    ['', 'Copied'],
    ['denied', 'The browser refused; select and copy'],
  ])('keeps its name and says once what became of it (%s)', async (refusal, expected) => {
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(() =>
      refusal === '' ? Promise.resolve() : Promise.reject(new Error(refusal)),
    );
    page = openPage(<CopyButton text="hk_1" label="Copy key" />);
    const button = find('button', 'Copy key');
    page.click(button);
    await vi.waitFor(() => expect(button.textContent).toBe(expected));
    expect(button.getAttribute('aria-label')).toBe('Copy key');
    expect(button.querySelector('[aria-live]')).toBeNull();
    expect(said()).toEqual([`page: ${expected}`]);
    page.wait(2_500);
    expect(button.textContent).toBe('Copy key');
    expect(said()).toEqual([`page: ${expected}`]);
  });
});
