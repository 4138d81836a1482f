import 'server-only';
import type { Ctx } from '#server/context.ts';
import type { Home } from '#server/contract/shell.ts';
import { readFacts } from '#server/db/facts.ts';

type Step = Home['firstSteps'][number];

const TYPE_KINDS = ['objectType', 'edgeType'];

/**
 * The way through Habitat. A step is done when its trace is in the database: a request that a gateway served, a type
 * published by a change, a page that this person opened. Nothing is ticked by a click.
 */
export async function firstSteps(ctx: Ctx): Promise<Step[]> {
  const { db, actor } = ctx;
  const [served, registered, published, seen] = await Promise.all([
    db.latencyBucket.findFirst({ where: { scope: 'tenant', widthSeconds: 3_600, outcome: 'served' } }),
    db.changeEdit.findFirst({ where: { kind: { in: TYPE_KINDS }, baseRevision: 0 } }),
    db.definitionRevision.findFirst({ where: { kind: { in: TYPE_KINDS }, changeNumber: { not: null } } }),
    readFacts(db, actor.id),
  ]);
  const type = await db.definition.findFirst({
    where: { kind: 'objectType', removed: false },
    orderBy: { name: 'asc' },
    select: { name: true },
  });
  const code = type === null ? '/types' : `/types/${type.name}?tab=code`;
  return [
    { id: 'send', text: 'Send a request with the sample key', href: code, done: served !== null },
    { id: 'explain', text: 'See a request explained', href: '/requests', done: seen.has('request explained') },
    { id: 'register', text: 'Register a type in a change', href: '/changes', done: registered !== null },
    { id: 'publish', text: 'Have it approved and publish it', href: '/changes', done: published !== null },
    {
      id: 'refusal',
      text: 'See a refusal and what would permit it',
      href: '/requests?outcome=refused',
      done: seen.has('refusal explained'),
    },
    { id: 'latency', text: 'Watch latency move', href: '/latency', done: seen.has('latency seen') },
  ];
}
