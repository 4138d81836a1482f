/** What may take the keyboard. */
const TAKES_FOCUS =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex="-1"])';
/** So long what an act changed may take away the control that asked for it. */
const WATCHED_MS = 5_000;

/**
 * Remembers what has the focus when a dialog opens; the result gives it back. When that is gone by then, or goes with what the
 * act changed (*Revoke* on a row that is revoked now), the nearest control around it takes the focus, so that the keyboard
 * stays where the work was.
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
  for (const ancestor of around) {
    if (!ancestor.isConnected) continue;
    const next = ancestor.id === 'main' ? ancestor : ancestor.querySelector(TAKES_FOCUS);
    if (!(next instanceof HTMLElement)) continue;
    next.focus({ preventScroll: true });
    if (document.activeElement === next) return;
  }
}
