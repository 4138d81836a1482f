// @vitest-environment happy-dom
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConsoleError } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Failed } from '#components/ui/failed.tsx';
import { Field } from '#components/ui/field.tsx';
import { FilterLine } from '#components/ui/filter-line.tsx';
import { Finding } from '#components/ui/finding.tsx';
import { SecretOnce } from '#components/ui/secret-once.tsx';
import { useShortcuts } from '#components/ui/shortcuts.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import { find, openPage, type Page } from './page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

function Revoke({ onConfirm }: { readonly onConfirm: (reason: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Revoke key</Button>
      <ConfirmEffect
        open={open}
        onClose={() => setOpen(false)}
        title="Revoke hk_7Q?"
        act="Revoke it"
        look="danger"
        reason="required"
        onConfirm={onConfirm}
      >
        <p>Requests with it get 401 within two seconds.</p>
      </ConfirmEffect>
    </>
  );
}

describe('an act that others feel', () => {
  it('asks for a reason, says so, and passes it on trimmed', () => {
    const reasons: string[] = [];
    page = openPage(<Revoke onConfirm={(reason) => reasons.push(reason)} />);
    page.click(find('button', 'Revoke key'));
    page.click(find('button', 'Revoke it'));
    expect(reasons).toEqual([]);
    expect(find('[role=tooltip]').textContent).toBe('Write a reason first.');
    page.type(find('textarea'), ' leaked in a log ');
    page.click(find('button', 'Revoke it'));
    expect(reasons).toEqual(['leaked in a log']);
  });

  it('gives focus to the question and back to what opened it', () => {
    page = openPage(<Revoke onConfirm={() => undefined} />);
    const opener = find('button', 'Revoke key');
    opener.focus();
    page.click(opener);
    expect(document.activeElement?.tagName).toBe('TEXTAREA');
    page.click(find('button', 'Cancel'));
    expect(document.activeElement).toBe(opener);
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('reads what it does with its title, since the first field asks only why', () => {
    page = openPage(<Revoke onConfirm={() => undefined} />);
    page.click(find('button', 'Revoke key'));
    const about = document.getElementById(find('dialog').getAttribute('aria-describedby') ?? '');
    expect(about?.textContent).toBe('Requests with it get 401 within two seconds.');
  });
});

function Steps() {
  const [step, setStep] = useState<'closed' | 'ask' | 'told' | 'revoked'>('closed');
  return (
    <section>
      <table>
        <tbody>
          <tr>
            <td>
              {step !== 'revoked' && (
                <button type="button" onClick={() => setStep('ask')}>
                  Open
                </button>
              )}
            </td>
          </tr>
        </tbody>
      </table>
      <Dialog open={step === 'ask' || step === 'told'} onClose={() => setStep('revoked')} title="Revoke it?">
        {step === 'told' ? (
          <p>It works no more.</p>
        ) : (
          <button type="button" onClick={() => setStep('told')}>
            Revoke
          </button>
        )}
      </Dialog>
    </section>
  );
}

describe('a dialog', () => {
  it('without a control takes the focus itself, so that it is read out', () => {
    page = openPage(
      <Dialog open onClose={() => undefined} title="Keys">
        <p>None works here.</p>
      </Dialog>,
    );
    expect(document.activeElement?.textContent).toBe('None works here.');
  });

  it('keeps the focus when its next step has another control', () => {
    page = openPage(<Steps />);
    page.focus(find('button', 'Open'));
    page.click(find('button', 'Open'));
    page.focus(find('dialog button', 'Revoke'));
    page.click(find('dialog button', 'Revoke'));
    expect(document.activeElement?.textContent).toBe('It works no more.');
  });

  it('gives the focus to the part of the page around what opened it when that is gone', () => {
    page = openPage(<Steps />);
    page.focus(find('button', 'Open'));
    page.click(find('button', 'Open'));
    page.click(find('dialog button[aria-label=Close]'));
    expect(document.activeElement).toBe(find('table'));
  });
});

it('a secret that is shown once says so, in the dialog that shows it', () => {
  vi.useFakeTimers();
  page = openPage(
    <Dialog open onClose={() => undefined} title="Key of chat-api">
      <SecretOnce label="lab of chat-api" secret="hk_1" />
    </Dialog>,
  );
  page.wait(500);
  expect(find('dialog [role=status]').textContent).toBe(
    'Copy it now. Habitat keeps only its hash and cannot show it again.',
  );
  vi.useRealTimers();
});

describe('an act that is not mine', () => {
  it('stays focusable, does nothing, and says why and who can', () => {
    let pressed = 0;
    page = openPage(
      <Button
        disabledWhy="You wrote this change, so someone else approves it: Bo or Kim (team chat)."
        onClick={() => (pressed += 1)}
      >
        Approve
      </Button>,
    );
    const button = find('button', 'Approve');
    button.focus();
    page.click(button);
    expect(pressed).toBe(0);
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toContain('Bo or Kim');
  });
});

describe('a field', () => {
  it('ties label, hint and error to its control', () => {
    page = openPage(
      <Field label="Name" hint="Starts with a capital." error="A name has letters only." required>
        <TextInput />
      </Field>,
    );
    const input = find('input');
    expect(find('label').getAttribute('for')).toBe(input.id);
    const says = (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent);
    expect(says).toEqual(['A name has letters only.', 'Starts with a capital.']);
    expect(input.getAttribute('aria-invalid')).toBe('true');
  });

  it('ties the findings that point at it to its control, and one that blocks makes it invalid', () => {
    page = openPage(
      <Field
        label="Owner"
        findings={
          <Finding severity="error" code="no_owner">
            The team was removed.
          </Finding>
        }
        blocked
        required
      >
        <TextInput />
      </Field>,
    );
    const input = find('input');
    const says = document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent;
    expect(says).toMatch(/Blocks.*The team was removed\./);
    expect(input.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('a failed query', () => {
  it('says what happened with the request id, and offers to try again only where that can help', () => {
    const away = new ConsoleError({
      code: 'database_away',
      message: 'The console cannot reach its database.',
      requestId: 'req_9f',
      retryable: true,
    });
    page = openPage(<Failed error={away} onRetry={() => undefined} />);
    expect(find('[role=alert]').textContent).toContain('The console cannot reach its database.');
    expect(find('[role=alert]').textContent).toContain('req_9f');
    expect(find('button', 'Try again')).toBeDefined();
  });

  it('is the denied state, without an alarm, when the person may not read it', () => {
    const denied = new ConsoleError({
      code: 'not_permitted',
      message: 'Traffic of chat is for its team and for operators.',
      retryable: false,
    });
    page = openPage(<Failed error={denied} onRetry={() => undefined} />);
    expect(page.body.textContent).toContain('Traffic of chat is for its team');
    expect(document.querySelector('[role=alert]')).toBeNull();
    expect(page.body.querySelectorAll('button')).toHaveLength(0);
  });
});

describe('the filter line', () => {
  const keys = [{ key: 'tenant', about: 'whose data', values: ['chat'] }];

  it('completes by keyboard and commits with Enter', () => {
    const committed: string[] = [];
    page = openPage(
      <FilterLine
        label="Filter"
        example="tenant:chat"
        keys={keys}
        value=""
        onCommit={(text) => committed.push(text)}
      />,
    );
    const input = find('input') as HTMLInputElement;
    page.focus(input);
    page.type(input, 'ten');
    page.press('ArrowDown');
    page.press('Enter');
    expect(input.value).toBe('tenant:');
    page.type(input, 'tenant:c');
    page.press('ArrowDown');
    page.press('Enter');
    page.press('Enter');
    expect(committed).toEqual(['tenant:chat']);
  });

  it('is reached with / from the page', () => {
    page = openPage(<FilterLine label="Filter" example="" keys={keys} value="" onCommit={() => undefined} />);
    page.press('/', document.body);
    expect(document.activeElement).toBe(find('input'));
  });
});

function Keys({ onKey }: { readonly onKey: () => void }) {
  useShortcuts([
    { keys: 'g l', label: 'Latency', run: onKey },
    { keys: 'mod+k', label: 'Search', run: onKey },
  ]);
  return <input aria-label="Text" />;
}

describe('single-key shortcuts', () => {
  it.each([
    ['on', 2],
    ['off', 1],
  ] as const)('are %s, and the palette key works either way', (singleKeys, runs) => {
    let count = 0;
    page = openPage(<Keys onKey={() => (count += 1)} />, { singleKeys });
    page.press('g', document.body);
    page.press('l', document.body);
    page.press('k', document.body, { ctrlKey: true });
    expect(count).toBe(runs);
  });

  it('never take a letter from someone who types', () => {
    let count = 0;
    page = openPage(<Keys onKey={() => (count += 1)} />);
    page.press('g', find('input'));
    page.press('l', find('input'));
    expect(count).toBe(0);
  });
});
