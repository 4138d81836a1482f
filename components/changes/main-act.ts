import type { ChangeDetail, Possible } from '#server/contract/changes.ts';

/** The one act that moves a change on, or that the person sees but may not do. */
export interface MainAct {
  readonly act: 'submit' | 'review' | 'publish' | 'refresh' | 'unqueue';
  readonly words: string;
  readonly possible: Possible;
}

/**
 * What a change's main button does. What whoever asks may do comes first; else the act that the state asks for, with why
 * it is somebody else's. None once it is published or abandoned.
 */
export function mainActOf(detail: ChangeDetail): MainAct | undefined {
  const { may, row } = detail;
  const submit: MainAct = { act: 'submit', words: 'Send to review', possible: may.submit };
  const review: MainAct = { act: 'review', words: 'Review', possible: may.approve };
  const publish: MainAct = { act: 'publish', words: 'Publish', possible: may.publish };
  switch (row.state) {
    case 'outdated':
      return { act: 'refresh', words: 'Bring up to date', possible: may.edit };
    case 'draft':
    case 'needs work':
      return may.publish.may ? publish : submit;
    case 'in review':
      return may.publish.may ? publish : review;
    case 'approved':
      return may.unqueue === undefined
        ? publish
        : { act: 'unqueue', words: 'Take out of the queue', possible: may.unqueue };
    case 'rolling out':
    case 'halted':
    case 'live':
    case 'abandoned':
    case 'undone':
      return undefined;
  }
}
