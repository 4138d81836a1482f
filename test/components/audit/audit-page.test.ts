import { describe, expect, it } from 'vitest';
import { withoutTimes } from '#components/audit/audit-keys.ts';
import { faultOf } from '#components/audit/filter-fault.ts';
import { foldRefusals } from '#components/audit/fold-refusals.ts';
import { readFilterLine } from '#server/audit/filter-line.ts';
import type { AuditEvent } from '#server/contract/audit.ts';

const NOW = Date.UTC(2026, 10, 30, 13, 37);
let nextId = 1;
const event = (change: Partial<AuditEvent> = {}): AuditEvent => ({
  id: String(nextId++),
  atMs: NOW,
  source: 'gateway',
  actor: 'search',
  actorKind: 'service principal',
  did: 'refused',
  what: 'messages of Conversation c_1',
  href: null,
  because: 'no policy permits it @ r42',
  tenant: 'chat',
  release: 42,
  requestId: 'req_1',
  outcome: 'forbidden',
  count: 1,
  before: null,
  after: null,
  stream: 'gw-a',
  seq: 1,
  ...change,
});

describe('refusals on screen', () => {
  it('fold when they are equal and lie within a minute, with what gateways folded', () => {
    const rows = foldRefusals([event(), event({ atMs: NOW - 1_000, count: 1_200 }), event({ atMs: NOW - 59_000 })]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ count: 1_202, event: { atMs: NOW } });
    expect(rows[0]?.events).toHaveLength(3);
  });

  it('do not fold over a minute, over another caller, or over another release', () => {
    expect(foldRefusals([event(), event({ atMs: NOW - 60_000 })])).toHaveLength(2);
    expect(foldRefusals([event(), event({ actor: 'reports' })])).toHaveLength(2);
    expect(foldRefusals([event(), event({ release: 41 })])).toHaveLength(2);
  });

  it('leave everything else alone: two equal writes are two rows', () => {
    const write = { did: 'wrote', outcome: 'done' };
    expect(foldRefusals([event(write), event(write)])).toHaveLength(2);
  });
});

describe('a filter line that cannot be read', () => {
  const faultIn = (line: string) => {
    const reading = readFilterLine(line, NOW);
    if (reading.kind === 'filter') throw new Error('the line can be read');
    return faultOf(line, { filter: `${reading.position}: ${reading.message}` });
  };

  it.each([
    ['tenant:chat typ:Message did:read', 'tenant:chat ', 'typ:Message', ' did:read'],
    ['-after:13:30', '', '-after:13:30', ''],
    ['did:read actor:"Ana Ruiz', 'did:read ', 'actor:"Ana Ruiz', ''],
    ['release:x -did:read', '', 'release:x', ' -did:read'],
  ])('marks the token that the server stopped at: %s', (line, before, token, after) => {
    expect(faultIn(line)).toMatchObject({ before, token, after });
  });

  it('is no fault when the server named another field', () => {
    expect(faultOf('did:read', { cursor: 'is not a cursor of this list' })).toBeUndefined();
  });
});

describe('the line without its times', () => {
  it('keeps everything else', () => {
    expect(withoutTimes('tenant:chat after:13:30 -did:read before:14:00')).toBe('tenant:chat -did:read');
    expect(withoutTimes('tenant:chat')).toBe('tenant:chat');
  });
});
