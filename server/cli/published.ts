import { DEFINITION_KINDS, type DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { type ExportedDefinition, ExportPage } from '#server/contract/as-code.ts';
import type { CommandLine } from './command-line.ts';
import type { ConsoleApi } from './console-api.ts';
import { CliError, EXIT, usageError } from './exit.ts';
import { didYouMean } from './nearest.ts';

/** Everything published at one release. */
export interface PublishedSet {
  readonly release: number | null;
  readonly definitions: readonly ExportedDefinition[];
}

const PAGE = 2_000;
/** A publish between two pages begins the reading anew, so often. */
const MAX_TRIES = 5;

/** Reads what is published, as of one release. */
export async function readPublished(api: ConsoleApi): Promise<PublishedSet> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const read = await readPages(api);
    if (read !== null) return read;
  }
  throw new CliError(EXIT.conflict, {
    code: 'revision_conflict',
    message: 'Releases were published faster than they could be read. Try again in a moment.',
  });
}

async function readPages(api: ConsoleApi): Promise<PublishedSet | null> {
  const definitions: ExportedDefinition[] = [];
  let release: number | null | undefined;
  let cursor = '';
  for (;;) {
    const page = await api.get(`/api/definitions/export?limit=${PAGE}${cursor}`, ExportPage);
    if (release !== undefined && release !== page.release) return null;
    release = page.release;
    definitions.push(...page.items);
    if (page.next === undefined) return { release, definitions };
    cursor = `&cursor=${encodeURIComponent(page.next)}`;
  }
}

/** Whether a definition is among those that --kind and --team ask for. */
export function filterOf(
  line: CommandLine,
): (definition: { readonly kind: DefinitionKind; readonly document: Readonly<Record<string, unknown>> }) => boolean {
  const kinds = line.text('kind')?.split(',').map(readKind) ?? null;
  const team = line.text('team');
  return ({ kind, document }) =>
    (kinds === null || kinds.includes(kind)) && (team === null || document.ownerTeam === team);
}

function readKind(text: string): DefinitionKind {
  const kind = DEFINITION_KINDS.find((one) => one === text.trim());
  if (kind !== undefined) return kind;
  throw usageError(
    `${text} is no kind; kinds are ${DEFINITION_KINDS.join(', ')}.${didYouMean(text, DEFINITION_KINDS)}`,
  );
}
