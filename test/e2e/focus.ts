import type { Page } from 'playwright-core';

/** What has focus, as a person who cannot use a mouse meets it. */
interface Focused {
  /** Accessible name, roughly: label, text or placeholder. */
  readonly name: string;
  readonly role: string;
  /** A ring, an outline or the caret of a field tells where it is. */
  readonly isSeen: boolean;
  /** Its middle is what lies on top there: no bar, no overlay. */
  readonly isOnTop: boolean;
}

/** Tab until an element of that role and name has focus; each stop on the way must be seen and lie on top. */
export async function tabTo(page: Page, role: string, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let stops = 0; stops < 150; stops += 1) {
    const focused = await focusedOf(page);
    if (focused !== null) {
      const where = `${focused.role} “${focused.name}”`;
      if (!focused.isSeen) throw new Error(`Nothing shows that ${where} has focus.`);
      if (!focused.isOnTop) throw new Error(`${where} has focus and lies under something.`);
      if (focused.role === role && name.test(focused.name)) return;
      passed.push(where);
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${role} ${name}; it passed ${passed.join(', ')}.`);
}

export function focusedOf(page: Page): Promise<Focused | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const roles: Record<string, string> = { A: 'link', BUTTON: 'button', TEXTAREA: 'textbox', SELECT: 'combobox' };
    const inputs: Record<string, string> = { checkbox: 'checkbox', radio: 'radio', number: 'spinbutton' };
    const usual = element instanceof HTMLInputElement ? (inputs[element.type] ?? 'textbox') : roles[element.tagName];
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
    const labelled = (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id));
    const name =
      element.getAttribute('aria-label') ??
      [...labels, ...labelled].map((label) => label?.textContent?.trim() ?? '').find((text) => text !== '') ??
      element.textContent?.trim() ??
      '';
    const style = getComputedStyle(element);
    const isRinged = (of: CSSStyleDeclaration) => of.outlineStyle !== 'none' && Number.parseFloat(of.outlineWidth) > 0;
    const isSeen = isRinged(style) || style.boxShadow !== 'none' || isRinged(getComputedStyle(element, '::after'));
    const box = element.getBoundingClientRect();
    const onTop = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isOnTop = onTop !== null && (element.contains(onTop) || onTop.contains(element));
    return { name: name.replace(/\s+/g, ' '), role: element.getAttribute('role') ?? usual ?? '', isSeen, isOnTop };
  });
}
