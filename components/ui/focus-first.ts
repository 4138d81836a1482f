/**
 * Ref of the control that gets the focus when its dialog opens, instead of the first one in the page. React's autoFocus
 * runs before the dialog is modal; the browser's attribute is what showModal looks for.
 */
export const focusFirst = (element: HTMLElement | null): void => element?.setAttribute('autofocus', '');
