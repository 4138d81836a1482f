import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { compile } from '#server/compile/compile.ts';
import type { CompileResult, DraftEdit } from '#server/compile/model.ts';
import type { Finding } from '#server/contract/changes.ts';
import { EXAMPLE_DEFINITIONS } from '#server/seed/example.ts';

export const TEAMS = ['chat', 'platform', 'search'];

/** Compiles edits over the example. */
export function compileEdits(
  edits: readonly DraftEdit[],
  published: readonly Definition[] = EXAMPLE_DEFINITIONS,
): CompileResult {
  return compile({ published, edits, teams: TEAMS, keys: [] });
}

/** The published document of an example definition with some fields replaced. */
export function edited(kind: DraftEdit['kind'], name: string, fields: Record<string, unknown>): DraftEdit {
  const found = EXAMPLE_DEFINITIONS.find((definition) => definition.kind === kind && definition.name === name);
  if (found === undefined) throw new Error(`the example has no ${kind} ${name}`);
  return { kind, name, document: { ...found.document, ...fields } };
}

/** The published document of one example definition under another name. */
export function copied(kind: DraftEdit['kind'], from: string, name: string, fields: Record<string, unknown> = {}) {
  return { ...edited(kind, from, fields), name };
}

export function policy(name: string, cedar: string): DraftEdit {
  return { kind: 'policy', name, document: { ownerTeam: 'chat', description: 'A policy of a test.', cedar } };
}

export function codes(result: CompileResult): readonly string[] {
  return result.findings.map(({ code }) => code);
}

export function findingOf(result: CompileResult, code: string): Finding {
  const found = result.findings.find((finding) => finding.code === code);
  if (found === undefined) throw new Error(`no finding ${code}; there are ${codes(result).join(', ') || 'none'}`);
  return found;
}
