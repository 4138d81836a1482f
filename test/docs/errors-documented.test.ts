import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERRORS } from '#gateway/contract/errors.ts';

const sections = readFileSync('docs/errors.md', 'utf8').split(/^## /m).slice(1);

test('every error code has a section that states its status and advice, and no section lacks a code', () => {
  expect(sections.map((section) => section.split('\n')[0])).toEqual(Object.keys(ERRORS));
  for (const section of sections) {
    const entry = ERRORS[section.split('\n')[0] as keyof typeof ERRORS];
    expect(section).toContain(`**${entry.status}**`);
    expect(section).toContain(entry.advice);
    expect(section).toContain(entry.retryable ? 'may be tried again' : 'do not repeat it unchanged');
  }
});
