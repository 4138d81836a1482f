import type { ChangeState } from '#server/contract/changes.ts';

const OPEN: readonly ChangeState[] = ['draft', 'in review', 'needs work', 'approved', 'outdated'];

/** Nobody edits or reviews it any more: it was published or given up. */
export const isClosedState = (state: ChangeState): boolean => !OPEN.includes(state);
