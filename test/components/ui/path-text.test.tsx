// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { PathText } from '#components/ui/path-text.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

it.each([
  ['POST /v1/{tenant}/edges/{edgeType}:changeType', ['POST ', '/v1', '/{tenant}', '/edges', '/{edgeType}:changeType']],
  ['http://127.0.0.1:4000/v1/openapi.json', ['http://127.0.0.1:4000', '/v1', '/openapi.json']],
])('%s goes on in the next line only before a slash, and is copied as it is', (text, parts) => {
  page = openPage(<PathText text={text} />);
  expect(page.body.textContent).toContain(text);
  expect(page.body.querySelector('.font-mono')?.innerHTML.split('<wbr>')).toEqual(parts);
});

it('an indented word of a snippet fills its line, and the code is copied to the letter', () => {
  const code = 'curl -i -X PUT \\\n  \'http://127.0.0.1:4000/v1/chat/objects/Message/hello\' \\\n  -H "a: b"\n\n  end';
  page = openPage(<Snippet title="curl" code={code} />);
  expect(page.body.querySelector('code')?.textContent).toBe(code);
  expect([...page.body.querySelectorAll('code span')].map((span) => span.textContent)).toEqual([
    "  'http://127.0.0.1:4000/v1/chat/objects/Message/hello'",
    '  -H',
    '  end',
  ]);
});
