/** Ref of a control that takes the focus as soon as it is on the page: what somebody asked for, or came back to. */
export const focusNow = (element: HTMLElement | null): void => element?.focus();
