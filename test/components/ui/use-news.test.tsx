// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { useNews } from '#components/ui/use-news.ts';
import { find, openPage, type Page } from './page.tsx';

let page: Page | undefined;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  page?.close();
  vi.useRealTimers();
});

interface NewsProps {
  readonly text: string | undefined;
  readonly of?: string;
  readonly saysFirst?: boolean;
}

function News({ text, of, saysFirst = false }: NewsProps) {
  useNews(text, { key: of ?? text, saysFirst });
  return null;
}

/** What the page says once it has come to it. */
function said() {
  page?.wait(500);
  return find('[role=status]').textContent;
}

/** Long enough for the live region to be empty again. */
const later = () => page?.wait(10_000);

it('what stands on a page that was just opened is no news, unless it is asked for', () => {
  page = openPage(<News text="7 types" />);
  expect(said()).toBe('');
  page.show(<News key="other" text="1 finding blocks" saysFirst />);
  expect(said()).toBe('1 finding blocks');
});

it('words are said once, however often they are known again', () => {
  page = openPage(<News text="7 types" />);
  page.show(<News text="1 type" />);
  expect(said()).toBe('1 type');
  later();
  page.show(<News text={undefined} />);
  page.show(<News text="1 type" />);
  expect(said()).toBe('');
  page.show(<News text="2 types" />);
  expect(said()).toBe('2 types');
});

it('another piece of news in the same words is said again', () => {
  page = openPage(<News text="" of="none" />);
  page.show(<News text="Received: 200" of="a" />);
  expect(said()).toBe('Received: 200');
  later();
  page.show(<News text="Received: 200" of="b" />);
  expect(said()).toBe('Received: 200');
});

function Deleted() {
  const { toast } = useAnnouncer();
  return (
    <button type="button" onClick={() => toast('Deleted', () => {})}>
      Delete
    </button>
  );
}

it('what is said leaves the note that offers to undo on the page', () => {
  const content = (text: string) => (
    <>
      <Deleted />
      <News text={text} />
    </>
  );
  page = openPage(content('2 types'));
  page.click(find('button'));
  page.show(content('1 type'));
  expect(said()).toBe('Deleted Undo is in the note at the end of the page.1 type');
  expect(find('section[aria-label=Note]').textContent).toContain('Deleted');
  expect([...document.querySelectorAll('button')].map((button) => button.textContent)).toContain('Undo');
});
