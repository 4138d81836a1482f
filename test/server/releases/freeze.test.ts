import { expect, it } from 'vitest';
import { moveOn } from '#server/changes/move-on.ts';
import { FreezeState, RolloutRulesState } from '#server/contract/rollouts.ts';
import { freezePublishing, readFreezeState, unfreezeWith } from '#server/releases/set-freeze.ts';
import { readRolloutRulesState, setRolloutRules } from '#server/releases/set-rollout-rules.ts';
import { changeActs } from '#test/server/changes/acts.ts';
import { copied } from '#test/server/compile/fixture.ts';
import { refusal, testConsole } from '#test/server/console.ts';
import { releaseActs } from './release-acts.ts';

const console = await testConsole();
const { db } = console;
const changes = changeActs(console);
const releases = releaseActs(console);
const freeze = async (who: string, reason = 'Incident 4711.') => freezePublishing(await console.as(who), { reason });
const unfreeze = async (who: string) => unfreezeWith(moveOn)(await console.as(who), { reason: 'Over.' });

it('freezing is for operators, security and admins, is said to everybody, and is audited', async () => {
  expect((await refusal(freeze('ana'))).publicMessage).toBe(
    'Operators, security and admins freeze and unfreeze publishing.',
  );
  await freeze('olga');
  const seen = FreezeState.parse(await readFreezeState(await console.as('ana')));
  expect(seen).toMatchObject({ freeze: { by: { name: 'Olga Ek' }, reason: 'Incident 4711.' }, may: { may: false } });
  expect((await refusal(freeze('sam'))).publicMessage).toBe('Olga Ek froze publishing: Incident 4711.');
  await unfreeze('sam');
  expect((await refusal(unfreeze('sam'))).code).toBe('wrong_state');
  expect(await db.auditEvent.findMany({ where: { what: 'publishing' }, orderBy: { id: 'asc' } })).toMatchObject([
    { did: 'froze', actor: 'Olga Ek', because: 'Incident 4711.' },
    { did: 'unfroze', actor: 'Sam Lee', because: 'Over.' },
  ]);
});

it('frozen, a publish is refused with who and why; a rollback that widens nothing passes, one that does not', async () => {
  const fault = (await changes.publish('ana', await changes.approved([copied('objectType', 'Message', 'Fault')])))
    .release;
  const waiting = await changes.approved([copied('objectType', 'Message', 'Waiting')]);
  await freeze('olga');
  expect(await refusal(changes.publish('ana', waiting))).toMatchObject({
    code: 'publishing_frozen',
    publicMessage:
      'Publishing is frozen by Olga Ek: Incident 4711. Acts that only take away still pass; operators, security and admins unfreeze.',
  });
  const undone = await releases.rollBack('olga', 'undo', fault);
  expect(undone.release).toBe(fault + 1);
  const asked = await releases.rollBack('olga', 'undo', undone.release ?? 0);
  await changes.review('bo', asked.change ?? 0);
  expect((await refusal(changes.publish('olga', asked.change ?? 0))).code).toBe('publishing_frozen');
  await unfreeze('olga');
  await changes.publish('olga', asked.change ?? 0);
  await changes.publish('ana', waiting);
});

it('the rules of rollouts have a default, are set by those on call, and what cannot be read counts as the default', async () => {
  const rules = async (who: string) => RolloutRulesState.parse(await readRolloutRulesState(await console.as(who)));
  const usual = { staged: true, promotes: 'on evidence', afterSeconds: 60 } as const;
  expect(await rules('ana')).toMatchObject({ rules: usual, may: { may: false } });
  const byHand = { staged: true, promotes: 'by hand', afterSeconds: 600 } as const;
  await setRolloutRules(await console.as('olga'), byHand);
  expect(await rules('olga')).toMatchObject({ rules: byHand, may: { may: true } });
  expect(await db.auditEvent.findFirst({ where: { what: 'how releases go out' } })).toMatchObject({
    before: usual,
    after: byHand,
  });
  await db.setting.update({ where: { key: 'rollout' }, data: { value: { staged: 'perhaps' } } });
  expect((await rules('olga')).rules).toEqual(usual);
});
