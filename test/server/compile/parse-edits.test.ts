import { describe, expect, it } from 'vitest';
import type { DraftEdit } from '#server/compile/model.ts';
import { parseEdits } from '#server/compile/parse-edits.ts';
import { compileEdits, copied, edited, policy } from './fixture.ts';

const BLANKS = [' ', '\t\n ', '\u00a0', '\u200b\u200b', '\ufeff'];

/** Every text that a definition cannot do without, and what its empty field says. */
const REQUIRED: readonly (readonly [field: string, says: string, edit: (text: string) => DraftEdit])[] = [
  [
    'description',
    'Say in a sentence what it stores.',
    (description) => edited('objectType', 'Message', { description }),
  ],
  [
    'description',
    'Say in a sentence what it connects.',
    (description) => edited('edgeType', 'members', { description }),
  ],
  [
    'description',
    'Say in a sentence who calls with it.',
    (description) => copied('principal', 'chat-api', 'other-api', { description }),
  ],
  [
    'description',
    'Say in a sentence what it allows or forbids.',
    (description) => edited('policy', 'team-owns-type', { description }),
  ],
  ['cedar', 'cedar is empty.', (cedar) => policy('blank', cedar)],
  ['displayName', 'displayName is empty.', (displayName) => edited('tenant', 'chat', { displayName })],
];

describe.each(REQUIRED)('%s: %s', (path, says, edit) => {
  it.each(BLANKS.map((text) => [JSON.stringify(text), text]))(
    '%s alone blocks with the words of its field',
    (_, text) => {
      expect(compileEdits([edit(text)]).findings).toContainEqual(
        expect.objectContaining({ code: 'field_invalid', severity: 'error', path, message: says }),
      );
    },
  );

  it('text between blanks is kept as it was written', () => {
    const [valid] = parseEdits([edit(path === 'cedar' ? ' permit (principal, action, resource); ' : ' a b ')]).valid;
    expect(valid === undefined ? undefined : Reflect.get(valid.document, path)).toMatch(/^ .* $/);
  });
});
