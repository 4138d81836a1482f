/**
 * Ref of the control that gets the focus when its dialog opens, instead of the first one. React's own autoFocus runs
 * before the dialog is modal and leaves no attribute behind.
 */
export const focusFirst = (element: HTMLElement | null): void => element?.setAttribute('autofocus', '');
