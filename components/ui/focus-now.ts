/** Ref of a control that takes the focus as soon as it is on the page: what somebody asked for. */
export const focusNow = (element: HTMLElement | null): void => element?.focus();

/**
 * Ref of a control that somebody comes back to: it takes the focus that what went away has left behind. Who has gone on
 * to something else meanwhile, an open menu for example, is not called back.
 */
export function focusBack(element: HTMLElement | null): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) element?.focus();
}
