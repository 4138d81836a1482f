import { ACTIONS } from '#gateway/contract/actions.ts';

/** `read, write` from `object.read`, `object.write`, in the contract's order and each verb once. */
export function actionsWords(actions: readonly string[]): string {
  const verbs = ACTIONS.filter((action) => actions.includes(action)).map((action) => action.split('.')[1] ?? action);
  return [...new Set(verbs)].join(', ');
}
