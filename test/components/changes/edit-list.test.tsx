// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { EditList } from '#components/changes/edit-list.tsx';
import { CHANGE_STATES, type ChangeDetail, type ChangeState } from '#server/contract/changes.ts';
import { openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

const bo = { id: 'bo', name: 'Bo Lind' };
const need = (from: string, given: boolean) => ({ from, given, mode: 'second person' as const, who: [bo] });

/** What stands beside the edits of a change in this state, one review given and one not. */
function textOf(state: ChangeState): string {
  const detail = {
    row: { state },
    may: { edit: { may: false, why: 'It is closed.' } },
    needs: [need('team chat', true), need('security', false)],
    comments: [],
  };
  page = openPage(
    <EditList
      detail={detail as unknown as ChangeDetail}
      book={new Map()}
      findings={[]}
      openKey={undefined}
      onOpen={() => undefined}
      onAdd={() => undefined}
    />,
  );
  return page.body.textContent ?? '';
}

const OPEN: readonly ChangeState[] = ['draft', 'in review', 'needs work', 'approved', 'outdated'];

it.each(CHANGE_STATES)('%s: an open change says what it still waits for, a closed one waits for nothing', (state) => {
  const text = textOf(state);
  expect(text).toContain('team chat given');
  expect([text.includes('Add an edit'), text.includes('security by Bo Lind')]).toEqual(
    OPEN.includes(state) ? [true, true] : [false, false],
  );
});
