import { ACTIONS } from '#gateway/contract/actions.ts';

/** `read, write` from `object.read`, `object.write`, in the contract's order and each verb once. */
export function actionsWords(actions: readonly string[]): string {
  return verbsOf(actions).join(', ');
}

/** The same inside a sentence: `read, write and delete`. */
export function actionsInSentence(actions: readonly string[]): string {
  return LIST.format(verbsOf(actions));
}

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function verbsOf(actions: readonly string[]): readonly string[] {
  const verbs = ACTIONS.filter((action) => actions.includes(action)).map((action) => action.split('.')[1] ?? action);
  return [...new Set(verbs)];
}
