import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILTER_FIELDS, readFilterLine } from '#server/audit/filter-line.ts';

const NOW = Date.UTC(2026, 10, 30, 15, 0, 0);

function filterOf(line: string) {
  const reading = readFilterLine(line, NOW);
  if (reading.kind !== 'filter') throw new Error(reading.message);
  return reading.filter;
}

describe('filter line of the audit log', () => {
  it('an empty line filters nothing', () => {
    expect(filterOf('   ')).toEqual({ terms: [], afterMs: null, beforeMs: null });
  });

  it('reads tokens, quoted values, negation and free text', () => {
    expect(filterOf('tenant:chat actor:"Ana Ruiz" -did:read message -"two words"').terms).toEqual([
      { field: 'tenant', value: 'chat', not: false },
      { field: 'actor', value: 'Ana Ruiz', not: false },
      { field: 'did', value: 'read', not: true },
      { field: 'text', value: 'message', not: false },
      { field: 'text', value: 'two words', not: true },
    ]);
  });

  it('a quoted word with a colon is text, not a field', () => {
    expect(filterOf('"actor:ana"').terms).toEqual([{ field: 'text', value: 'actor:ana', not: false }]);
  });

  it.each([
    ['after:13:30', Date.UTC(2026, 10, 30, 13, 30)],
    ['after:13:30:05.12', Date.UTC(2026, 10, 30, 13, 30, 5, 120)],
    ['after:2026-11-29', Date.UTC(2026, 10, 29)],
    ['after:2026-11-29T10:00', Date.UTC(2026, 10, 29, 10)],
    ['after:2026-11-29T10:00+02:00', Date.UTC(2026, 10, 29, 8)],
    ['after:2h', NOW - 7_200_000],
    ['after:7d', NOW - 7 * 86_400_000],
  ])('%s is a moment', (line, expected) => {
    expect(filterOf(line).afterMs).toBe(expected);
  });

  it('two bounds of one side narrow', () => {
    expect(filterOf('after:2h after:1h before:10m before:20m')).toMatchObject({
      afterMs: NOW - 3_600_000,
      beforeMs: NOW - 1_200_000,
    });
  });

  it.each([
    ['tenant:chat colour:red', 12, 'colour: is not a filter'],
    ['tenant:', 0, 'tenant: needs a value'],
    ['a after:25:00', 2, '"25:00" is not a time'],
    ['after:2026-02-30', 0, 'is not a time'],
    ['-after:2h', 0, 'cannot be negated'],
    ['release:latest', 0, 'takes a number'],
    ['x "open', 2, 'not closed'],
    ['""', 0, 'empty'],
  ])('%s is refused where the fault is', (line, position, message) => {
    const reading = readFilterLine(line, NOW);
    expect(reading).toMatchObject({ kind: 'unreadable', position, message: expect.stringContaining(message) });
  });

  it('any line is read or refused at a position inside it, and quoted values round-trip', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (line) => {
        const reading = readFilterLine(line, NOW);
        if (reading.kind === 'unreadable') expect(reading.position).toBeLessThan(line.length);
      }),
    );
    const value = fc.stringMatching(/^[^"\s]([^"\n]{0,20}[^"\s])?$/);
    fc.assert(
      fc.property(fc.constantFrom(...FILTER_FIELDS.filter((field) => field !== 'release')), value, (field, text) => {
        expect(filterOf(`${field}:"${text}"`).terms).toEqual([{ field, value: text.trim(), not: false }]);
      }),
    );
  });
});
