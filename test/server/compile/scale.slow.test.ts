import { expect, it } from 'vitest';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { check, compile } from '#server/compile/compile.ts';
import { EXAMPLE_DEFINITIONS } from '#server/seed/example.ts';
import { copied, edited, policy, TEAMS } from './fixture.ts';

const OBJECT_TYPES = 10_000;
const EDGE_TYPES = 20_000;

/** The example grown to the size that an installation may have, or to a part of it. */
function grown(share: number): readonly Definition[] {
  const one = copied('objectType', 'Message', 'Message').document;
  const two = copied('edgeType', 'inConversation', 'inConversation').document;
  const count = OBJECT_TYPES * share;
  const types = Array.from({ length: count }, (_, at) =>
    Definition.parse({ kind: 'objectType', name: `Type${at}`, document: one }),
  );
  const edges = Array.from({ length: EDGE_TYPES * share }, (_, at) =>
    Definition.parse({
      kind: 'edgeType',
      name: `edge${at}`,
      document: { ...Object(two), from: `Type${at % count}`, to: `Type${(at * 7) % count}` },
    }),
  );
  return [...EXAMPLE_DEFINITIONS, ...types, ...edges];
}

/** The least of seven runs in time of the processor: what else the machine does is not the code's. */
function leastMs(work: () => unknown): number {
  const runs = Array.from({ length: 7 }, () => {
    const from = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}

const whole = { published: grown(1), teams: TEAMS };
const eighth = { published: grown(1 / 8), teams: TEAMS };

// Linear growth is eight. What grows with the square would be at 64; the seconds are the benchmark's to say.
const AT_MOST = 24;

it('a release of 30,000 types compiles in time that grows with their number, not with its square', {
  timeout: 240_000,
}, () => {
  const edits = [edited('objectType', 'Message', { maxBytes: 100_000 })];
  const itemsOf = (input: typeof whole) => compile({ ...input, edits, keys: [] }).sections?.edgeType.items.length ?? 0;
  expect(itemsOf(whole)).toBeGreaterThan(EDGE_TYPES);
  expect(leastMs(() => itemsOf(whole))).toBeLessThan(AT_MOST * leastMs(() => itemsOf(eighth)));
});

it.each([
  ['an edit of one type', [edited('objectType', 'Message', { maxBytes: 100 })]],
  ['a new edge type', [copied('edgeType', 'members', 'guests', { inverse: undefined })]],
  ['a policy that opens every type', [policy('open', 'permit (principal is Service, action, resource);')]],
])(
  '%s is checked in time that grows with the number of types, not with its square',
  { timeout: 240_000 },
  (_, edits) => {
    const checked = (input: typeof whole) => leastMs(() => check({ ...input, edits }));
    expect(checked(whole)).toBeLessThan(AT_MOST * checked(eighth));
  },
);
