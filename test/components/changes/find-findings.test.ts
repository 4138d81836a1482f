import { expect, test } from 'vitest';
import { countFindings, fieldPath, findingsAt, schemaIssues } from '#components/changes/find-findings.ts';
import { newDocument } from '#components/changes/new-document.ts';
import { DEFINITION_KINDS } from '#gateway/contract/definitions/definition.ts';
import type { Finding } from '#server/contract/changes.ts';

const finding = (path: string, severity: Finding['severity'] = 'error'): Finding => ({
  code: 'x',
  severity,
  kind: 'objectType',
  name: 'Message',
  path,
  message: path,
});

test.each([
  ['audit.reads', 'audit.reads'],
  ['$.audit.reads', 'audit.reads'],
  ['/audit/reads', 'audit.reads'],
  ['groups[2]', 'groups.2'],
  ['', ''],
])('a path is one field however it is written: %s', (path, field) => {
  expect(fieldPath(path)).toBe(field);
});

test('a finding stands beside its own field, and one inside a list beside the list', () => {
  const all = [finding('audit.reads'), finding('groups.2'), finding('group'), finding('')];
  const at = (path: string) => findingsAt(all, { kind: 'objectType', name: 'Message', path }).map((each) => each.path);
  expect(at('audit.reads')).toEqual(['audit.reads']);
  expect(at('groups')).toEqual(['groups.2']);
  expect(at('group')).toEqual(['group']);
  expect(findingsAt(all, { kind: 'edgeType', name: 'Message', path: 'group' })).toEqual([]);
});

test('counts tell what blocks from what warns', () => {
  expect(countFindings([finding('a'), finding('b', 'warning'), finding('c', 'info')])).toEqual({
    errors: 1,
    warnings: 1,
  });
});

test('a new definition of any kind lacks only what its author has to say', () => {
  const missing = Object.fromEntries(
    DEFINITION_KINDS.map((kind) => [kind, [...schemaIssues(kind, newDocument(kind, 'chat')).keys()].sort()]),
  );
  expect(missing).toEqual({
    objectType: ['description'],
    edgeType: ['description', 'from', 'to'],
    policy: ['cedar', 'description'],
    tenant: ['displayName'],
    principal: ['description', 'tenant'],
  });
});
