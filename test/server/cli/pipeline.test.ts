import { expect, it } from 'vitest';
import { changeActs } from '#test/server/changes/acts.ts';
import { testConsole } from '#test/server/console.ts';
import { servedConsole, workplace } from './habitat.ts';

const console_ = await testConsole();
const acts = changeActs(console_);
const served = await servedConsole(console_);
const place = workplace({
  HABITAT_URL: served.url,
  HABITAT_TOKEN: await served.ciToken('chat', 'definitions:read', 'changes:write', 'changes:publish'),
});
await place.habitat('export');

const note = (name: string, more = '') =>
  `kind: objectType\nname: ${name}\ndocument:\n  ownerTeam: chat\n  description: Stores a note.${more}\n  classification: internal\n  maxBytes: 1000\n  audit: { reads: none, writes: none }\n`;
const apply = async (options: string) => (await place.habitat(`apply ${options} --json`)).json;
const numberOf = (json: Record<string, unknown>) => (json.change as { number: number }).number;

it("a pipeline writes as its team's CI, a person of the team reviews it, and the same run publishes it", async () => {
  place.write('definitions/objectType/First.yaml', note('First'));
  const number = numberOf(await apply('--submit --publish'));
  const change = await acts.read('bo', number);
  expect(change.row).toMatchObject({ author: { id: 'ci:chat', name: 'CI of chat' }, state: 'in review' });
  // Nobody of the team wrote it, so both may answer; the CI itself is asked by nobody.
  expect(change.needs.map(({ who }) => who.map(({ id }) => id))).toEqual([['ana', 'bo']]);
  await acts.review('ana', number);
  expect(await apply('--submit --publish')).toMatchObject({ exit: 0, outcome: 'same', release: expect.any(Number) });
  const published = await console_.db.auditEvent.findFirst({ where: { did: 'published', actorId: 'ci:chat' } });
  expect(published).toMatchObject({ actor: 'CI of chat', token: 'pipeline' });
});

it('a person of the team edits what its CI wrote; whoever is of another team does not', async () => {
  place.write('definitions/objectType/Second.yaml', note('Second'));
  const number = numberOf(await apply(''));
  const may = async (who: string) => (await acts.read(who, number)).may.edit.may;
  expect([await may('ana'), await may('sam')]).toEqual([true, false]);
});

it('the approval itself publishes when that was asked, and another run then has nothing to do', async () => {
  const number = numberOf(await apply('--submit --publish-when-approved'));
  await acts.review('bo', number);
  expect((await acts.read('bo', number)).row.release).not.toBeNull();
  expect(await apply('--submit --publish-when-approved')).toMatchObject({ exit: 0, outcome: 'nothing to do' });
});

it('a pipeline may not write what its team may not, and says who may', async () => {
  place.write('definitions/objectType/Third.yaml', note('Third'));
  const number = numberOf(await apply('--submit'));
  await console_.db.user.update({ where: { id: 'ada' }, data: { roles: [] } });
  const ran = await place.habitat('apply');
  expect(ran).toMatchObject({ exit: 4, err: expect.stringContaining('is no admin any more') });
  await console_.db.user.update({ where: { id: 'ada' }, data: { roles: ['admin'] } });
  expect(await apply('')).toMatchObject({ outcome: 'same', change: { number } });
});
