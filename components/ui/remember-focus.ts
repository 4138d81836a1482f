/** Parts of a page that a screen reader names when they take the focus. */
const PARTS = 'table, section, [role=region], dialog, main';
/** So long what an act changed may take away the control that asked for it. */
const WATCHED_MS = 5_000;

/**
 * Remembers what has the focus when a dialog opens; the result gives it back. When that is gone by then, or goes with what the
 * act changed (*Revoke* on a row that is revoked now), the part of the page around it takes the focus, so that the keyboard
 * stays where the work was and stands on no act that nobody chose.
 */
export function rememberFocus(): () => void {
  const opener = document.activeElement;
  if (!(opener instanceof HTMLElement) || opener === document.body) return () => undefined;
  const around = ancestorsOf(opener);
  return () => giveBack(opener, around);
}

function giveBack(opener: HTMLElement, around: readonly Element[]): void {
  if (!opener.isConnected) {
    focusAround(around);
    return;
  }
  opener.focus();
  const observer = new MutationObserver(() => {
    if (opener.isConnected) return;
    stop();
    if (document.activeElement === document.body) focusAround(around);
  });
  const timer = setTimeout(() => stop(), WATCHED_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
}

function ancestorsOf(element: Element): readonly Element[] {
  const found: Element[] = [];
  for (let at = element.parentElement; at !== null; at = at.parentElement) found.push(at);
  return found;
}

function focusAround(around: readonly Element[]): void {
  const part = around.find((ancestor) => ancestor.isConnected && ancestor.matches(PARTS));
  if (!(part instanceof HTMLElement)) return;
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
  part.focus({ preventScroll: true });
}
