import type { Rules } from '#server/contract/rules.ts';

/** What a rule does to a change. */
export const SETTING_WORDS: Readonly<Record<Rules['rules'][number]['usual'], string>> = {
  off: 'Off',
  note: 'Noted',
  warn: 'Warns',
  block: 'Blocks',
};

/** Who may set a rule, beside admins. */
export const SET_BY_WORDS: Readonly<Record<Rules['rules'][number]['setBy'], string>> = {
  team: 'An engineer of the team',
  security: 'Security',
  operator: 'An operator',
};
