interface MenuAct {
  readonly label: React.ReactNode;
  readonly href?: string | undefined;
  readonly onSelect?: (() => void) | undefined;
  /** Why it cannot be chosen now; it stays in the menu and says this under its label. */
  readonly disabledWhy?: string | undefined;
  readonly danger?: boolean | undefined;
  /** Key that does the same, shown at the end. */
  readonly keys?: string | undefined;
  /** Shows a mark when it is the chosen one of its group. */
  readonly checked?: boolean | undefined;
}

/** An entry of a menu: an act, a heading, or a line between groups. */
export type MenuItem = MenuAct | { readonly heading: string } | 'line';
