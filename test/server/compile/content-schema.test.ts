import { describe, expect, it } from 'vitest';
import { compileEdits, edited, findingOf } from './fixture.ts';

const rule = (mode: string, schema: unknown = { type: 'object' }) => ({
  contentSchema: { mode, schema: JSON.stringify(schema) },
});

describe('a content schema', () => {
  it('that is none blocks, and says where', () => {
    const finding = findingOf(
      compileEdits([edited('objectType', 'Message', rule('warn', { $ref: '#' }))]),
      'field_invalid',
    );
    expect(finding).toMatchObject({ severity: 'error', path: 'contentSchema.schema' });
    expect(finding.message).toContain('$ref');
  });

  it('of content larger than what is checked blocks', () => {
    const edit = edited('objectType', 'Message', { ...rule('enforce'), maxBytes: 262_145 });
    expect(findingOf(compileEdits([edit]), 'field_invalid').path).toBe('maxBytes');
  });

  it('that begins to be enforced warns; one that warns does not', () => {
    const limit = { maxBytes: 10_000 };
    const enforced = compileEdits([edited('objectType', 'Message', { ...rule('enforce'), ...limit })]);
    expect(findingOf(enforced, 'content_schema_enforced').path).toBe('contentSchema.mode');
    expect(enforced.effects.map(({ text }) => text)).toContain('contentSchema of Message: anything → enforce.');
    const warned = compileEdits([edited('objectType', 'Message', { ...rule('warn'), ...limit })]);
    expect(warned.findings.map(({ code }) => code)).not.toContain('content_schema_enforced');
    expect(warned.sections?.objectType.items.find(({ name }) => name === 'Message')?.contentSchema?.mode).toBe('warn');
  });
});
