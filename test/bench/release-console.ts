import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { KeySection, SECTION_KINDS } from '#gateway/contract/release.ts';
import { compile } from '#server/compile/compile.ts';
import { splitSection } from '#server/publication/split-section.ts';
import { startConsole } from '#test/gateway/fixtures/console.ts';
import { exampleItems, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { largeInstallation } from '#test/support/large-installation.ts';

/** What the bench tells this process. */
export type ToConsole =
  /** Compile and sign a release in which every definition, or one type, differs from the last. */
  | { readonly kind: 'prepare'; readonly differs: 'all' | 'one' }
  /** Make what was prepared the target. */
  | { readonly kind: 'publish' };

export type FromConsole =
  | { readonly kind: 'open'; readonly url: string; readonly trust: string; readonly token: string }
  | { readonly kind: 'prepared'; readonly bytes: number }
  | { readonly kind: 'live'; readonly durationMs: number };

/** The console of `release-apply.ts`, a process of its own so that building a release costs the load generator nothing. */
const key = makeKey('chat-api');
const keys = KeySection.parse({ items: [key.item] }).items;
let published = largeInstallation();
let revision = 0;
let publish: () => number = () => 0;
const console_ = await startConsole();
tell({ kind: 'open', url: console_.url, trust: console_.trust, token: key.token });

process.on('message', async (message: ToConsole) => {
  if (message.kind === 'prepare') return tell({ kind: 'prepared', bytes: await prepare(message.differs) });
  const number = publish();
  const durationMs = await eventually('the release is live', () => liveAfter(number), 120_000);
  tell({ kind: 'live', durationMs });
});
process.on('disconnect', () => process.exit(0));

async function prepare(differs: 'all' | 'one'): Promise<number> {
  revision += 1;
  published = published.map((definition) =>
    differs === 'all' || definition.name === 'Type77' ? revised(definition) : definition,
  );
  const { sections } = compile({ published, edits: [], teams: ['chat', 'platform', 'search'], keys });
  if (sections === null) throw new Error('It does not compile.');
  const split = SECTION_KINDS.map((kind) => splitSection(kind, sections[kind].items));
  publish = await console_.prepare(exampleItems(key), { split });
  return split.reduce((sum, { bytes }) => sum + bytes, 0);
}

function revised(definition: Definition): Definition {
  if (definition.kind !== 'objectType' && definition.kind !== 'edgeType') return definition;
  const document = { ...definition.document, description: `Revision ${revision} of ${definition.name}: ${FILLER}` };
  return { ...definition, document } as Definition;
}

/** Brings 30,000 types to ten megabytes. */
const FILLER = 'what one product keeps of a thing that its customers see and change every day, with their names.';

function liveAfter(number: number): number | null {
  const ack = console_.acks.find(({ release, result }) => release.number === number && result.state === 'live');
  return ack?.result.state === 'live' ? ack.result.durationMs : null;
}

function tell(message: FromConsole): void {
  process.send?.(message);
}
