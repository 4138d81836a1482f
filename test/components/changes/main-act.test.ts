import { expect, test } from 'vitest';
import { mainActOf } from '#components/changes/main-act.ts';
import type { ChangeDetail, ChangeState } from '#server/contract/changes.ts';

const no = { may: false, why: 'somebody else' };
const yes = { may: true, why: '' };
const none: ChangeDetail['may'] = {
  edit: no,
  submit: no,
  approve: no,
  publish: no,
  abandon: no,
  comment: no,
  override: no,
};

const change = (state: ChangeState, may: Partial<ChangeDetail['may']> = {}): ChangeDetail => ({
  row: {
    number: 31,
    title: 'Add reactions',
    state,
    author: { id: 'u1', name: 'Ana Ruiz' },
    edits: 1,
    release: null,
    waitsFor: '',
    updatedAtMs: 0,
  },
  reason: '',
  emergency: false,
  againOf: null,
  link: null,
  edits: [],
  findings: [],
  checks: [],
  comments: [],
  publishWhenApproved: false,
  effects: [],
  reviews: [],
  needs: [],
  spine: [],
  may: { ...none, ...may },
  contentHash: 'h',
});

test.each([
  ['draft', 'submit'],
  ['needs work', 'submit'],
  ['in review', 'review'],
  ['approved', 'publish'],
  ['outdated', 'refresh'],
  ['rolling out', undefined],
  ['live', undefined],
  ['abandoned', undefined],
] as const)('a change that is %s asks for %s', (state, act) => {
  expect(mainActOf(change(state))?.act).toBe(act);
});

test('a change that waits in the queue can be taken out of it, and is not published twice', () => {
  expect(mainActOf(change('approved', { publish: yes, unqueue: yes }))?.act).toBe('unqueue');
});

test('an act of somebody else stays in place and says why', () => {
  expect(mainActOf(change('in review'))?.possible).toEqual(no);
});

test('where no review is asked, a draft that may be published offers that', () => {
  expect(mainActOf(change('draft', { submit: yes, publish: yes }))?.act).toBe('publish');
});
