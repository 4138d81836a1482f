import { expect, test } from 'vitest';
import { allocateWriteMarks, openWriteMarks, rowOf } from '#gateway/store/write-marks.ts';

const pk = 'chat|Message|m1';

function twoThreads() {
  const clock = { ms: 1_000_000 };
  const shared = allocateWriteMarks();
  const open = () => openWriteMarks(shared, () => clock.ms);
  return { clock, one: open(), other: open() };
}

test('while any thread writes a partition no thread is told a state of it; afterwards it is another one', () => {
  const { one, other } = twoThreads();
  const before = other.stateOf(rowOf(pk));
  one.begin(pk);
  other.begin(pk);
  one.end(pk, 'done');
  expect(one.stateOf(rowOf(pk))).toBeNull();
  other.end(pk, 'done');
  expect(one.stateOf(rowOf(pk))).not.toBeNull();
  expect(one.stateOf(rowOf(pk))).not.toBe(before);
});

test('a write that certainly did nothing leaves the state as it was', () => {
  const { one, other } = twoThreads();
  const before = other.stateOf(rowOf(pk));
  one.begin(pk);
  one.end(pk, 'nothing');
  expect(other.stateOf(rowOf(pk))).toBe(before);
});

test('a write that may arrive late leaves no state for half a minute', () => {
  const { clock, one, other } = twoThreads();
  const before = one.stateOf(rowOf(pk));
  one.begin(pk);
  one.end(pk, 'late');
  expect(other.stateOf(rowOf(pk))).toBeNull();
  clock.ms += 29_000;
  expect(other.stateOf(rowOf(pk))).toBeNull();
  clock.ms += 1_000;
  expect(other.stateOf(rowOf(pk))).not.toBeNull();
  expect(other.stateOf(rowOf(pk))).not.toBe(before);
});

test('when a container is gone every partition counts as written', () => {
  const { one, other } = twoThreads();
  const before = other.stateOf(7);
  one.markAll();
  expect(other.stateOf(7)).not.toBe(before);
});
