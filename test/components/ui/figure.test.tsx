// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { Figure } from '#components/ui/figure.tsx';
import { find, openPage, type Page } from './page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

it('has a table behind it that names each cell by row and column, and scrolls by the keyboard', () => {
  page = openPage(
    <Figure
      title="Percentiles"
      source="20 s buckets"
      heightPx={200}
      table={() => ({
        heads: ['Time', 'p50', 'p99'],
        rows: [
          ['13:36:00', '2 ms', '9 ms'],
          ['13:36:20', '3 ms', '11 ms'],
        ],
      })}
    >
      <p>drawing</p>
    </Figure>,
  );
  const button = find('button', 'Table');
  expect(button.getAttribute('aria-pressed')).toBe('false');
  page.click(button);
  expect(button.getAttribute('aria-pressed')).toBe('true');
  expect(find('table').getAttribute('aria-label')).toBe('Percentiles');
  expect([...document.querySelectorAll('th[scope=col]')].map((head) => head.textContent)).toEqual([
    'Time',
    'p50',
    'p99',
  ]);
  expect([...document.querySelectorAll('th[scope=row]')].map((head) => head.textContent)).toEqual([
    '13:36:00',
    '13:36:20',
  ]);
  const region = find('[role=region]');
  expect(region.tabIndex).toBe(0);
  expect(document.getElementById(region.getAttribute('aria-labelledby') ?? '')?.textContent).toBe('Percentiles');
});
