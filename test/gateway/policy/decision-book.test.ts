import { expect, it } from 'vitest';
import { createDecisionBook } from '#gateway/policy/decision-book.ts';
import type { PolicyQuestion } from '#gateway/policy/question.ts';

const question = (resource: string): PolicyQuestion => ({
  principal: 'api',
  tenant: 'chat',
  action: 'object.read',
  resource,
});

/** A decision function that notes what it was asked. */
function counted(decision: 'allow' | 'deny') {
  const asked: string[] = [];
  const decide = ({ resource }: PolicyQuestion) => {
    asked.push(resource);
    return { decision, policies: [] };
  };
  return { asked, decide };
}

it('a decision is made once for all who ask, and anew under the next release', async () => {
  const book = createDecisionBook({ nowMs: () => 0, pause: async () => {} });
  const [first, second] = [counted('allow'), counted('deny')];
  await book.open('r1', first.decide);
  for (let times = 0; times < 8; times += 1) expect(book.decide('r1', question('Message'))?.decision).toBe('allow');
  expect(first.asked).toEqual(['Message']);
  await book.open('r2', second.decide);
  expect(second.asked).toEqual(['Message']);
  expect(book.decide('r2', question('Message'))?.decision).toBe('deny');
  expect(book.decide('r1', question('Message'))?.decision).toBe('allow');
  expect([first.asked, second.asked]).toEqual([['Message'], ['Message']]);
  expect(book.decide('r3', question('Message'))).toBeNull();
});

it('others take their turns while decisions are made ahead, and that ends after a second', async () => {
  const clock = { nowMs: 0 };
  let pauses = 0;
  const book = createDecisionBook({
    nowMs: () => clock.nowMs,
    pause: async () => {
      pauses += 1;
    },
  });
  const first = counted('allow');
  await book.open('r1', first.decide);
  for (let at = 0; at < 3_000; at += 1) book.decide('r1', question(`Type${at}`));
  const second = counted('allow');
  await book.open('r2', (one) => {
    clock.nowMs += 1;
    return second.decide(one);
  });
  expect(second.asked.length).toBeGreaterThan(900);
  expect(second.asked.length).toBeLessThan(1_100);
  expect(pauses).toBeGreaterThan(400);
});
