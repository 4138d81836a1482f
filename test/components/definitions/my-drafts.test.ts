import { expect, it } from 'vitest';
import { myDrafts } from '#components/definitions/my-drafts.ts';

const ANA = { id: 'ana', name: 'Ana Ruiz' };
const change = (number: number, state: 'draft' | 'needs work' | 'in review', author = ANA) => ({
  number,
  title: `Change ${number}`,
  state,
  author,
});

it('offers drafts of mine alone, those that touch what is looked at first', () => {
  const open = [
    change(9, 'draft'),
    change(8, 'in review'),
    change(7, 'needs work'),
    change(6, 'draft', { id: 'bo', name: 'Bo Lind' }),
    change(5, 'draft'),
  ];
  const drafts = myDrafts(open, { me: 'ana', touching: [{ number: 7 }, { number: 6 }, { number: 5 }] });
  expect(drafts.map(({ number, touches }) => [number, touches])).toEqual([
    [7, true],
    [5, true],
    [9, false],
  ]);
  expect(myDrafts(open, { me: undefined, touching: [] })).toEqual([]);
});
