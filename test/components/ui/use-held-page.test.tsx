// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { useHeldPage } from '#components/ui/use-held-page.ts';
import { openPage, type Page } from './page.tsx';

interface Row {
  readonly id: string;
  readonly state: string;
}

let page: Page | undefined;
afterEach(() => page?.close());

function List({ listKey, rows }: { readonly listKey: string; readonly rows: readonly Row[] }) {
  const held = useHeldPage(listKey, rows, ({ id }) => id);
  return (
    <>
      <p>{held.rows.map(({ id, state }) => `${id}=${state}`).join(' ')}</p>
      <button type="button" onClick={held.release}>
        {held.fresh}
      </button>
    </>
  );
}

const row = (id: string, state = 'new'): Row => ({ id, state });
const shown = () => page?.body.querySelector('p')?.textContent;
const waiting = () => page?.body.querySelector('button')?.textContent;

it('new rows wait until they are asked for, and the others stay where they are', () => {
  page = openPage(<List listKey="a" rows={[row('2'), row('1')]} />);
  page.show(<List listKey="a" rows={[row('3'), row('2', 'done'), row('1')]} />);
  expect(shown()).toBe('2=done 1=new');
  expect(waiting()).toBe('1');
  const button = page.body.querySelector('button');
  if (button === null) throw new Error('no button');
  page.click(button);
  expect(shown()).toBe('3=new 2=done 1=new');
  expect(waiting()).toBe('0');
});

it('another list is shown at once', () => {
  page = openPage(<List listKey="a" rows={[row('1')]} />);
  page.show(<List listKey="b" rows={[row('9')]} />);
  expect(shown()).toBe('9=new');
});

it('a list that was empty shows its first rows at once', () => {
  page = openPage(<List listKey="a" rows={[]} />);
  page.show(<List listKey="a" rows={[row('1')]} />);
  expect(shown()).toBe('1=new');
  expect(waiting()).toBe('0');
});

it('the page after it is shown once it is there, although the rows of the one before stay meanwhile', () => {
  const view = (cursor: string, isOther: boolean, id: string) => (
    <List listKey={`${cursor} ${isOther}`} rows={[row(id)]} />
  );
  page = openPage(view('first', false, '9'));
  page.show(view('second', true, '9'));
  page.show(view('second', false, '5'));
  expect(shown()).toBe('5=new');
});
