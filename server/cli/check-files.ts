import { MAX_APPLIED_EDITS } from '#server/contract/as-code.ts';
import { CheckResult, type Finding } from '#server/contract/changes.ts';
import { type Comparison, keyOf } from './compare.ts';
import type { ConsoleApi } from './console-api.ts';
import { usageError } from './exit.ts';
import type { Problem } from './files/problem.ts';
import type { FileDefinition } from './files/read-files.ts';

/** One edit as the console takes it. */
export interface FileEdit {
  readonly kind: FileDefinition['kind'];
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>> | null;
}

export interface Checked {
  readonly problems: readonly Problem[];
  /** What the edits do, in sentences. */
  readonly effects: readonly { readonly text: string }[];
}

/** The files that say otherwise than what is published, as edits. Refuses more than one change holds. */
export function editsOf({ missingThere, different }: Comparison): readonly FileEdit[] {
  const files = [...missingThere, ...different.map(({ here }) => here)];
  if (files.length > MAX_APPLIED_EDITS) {
    throw usageError(
      `${files.length} definitions differ, and one change holds ${MAX_APPLIED_EDITS}. Go on folder by folder.`,
    );
  }
  return files.map(({ kind, name, document }) => ({ kind, name, document }));
}

/** Has the console check the edits as if they were one change, and finds the place of each finding in the files. */
export async function checkEdits(
  api: ConsoleApi,
  edits: readonly FileEdit[],
  files: readonly FileDefinition[],
): Promise<Checked> {
  if (edits.length === 0) return { problems: [], effects: [] };
  const { findings, effects } = await api.send('POST /api/definitions/check', CheckResult, { edits });
  const byKey = new Map(files.map((file) => [keyOf(file), file]));
  return { problems: findings.map((finding) => placed(finding, byKey.get(keyOf(finding)) ?? null)), effects };
}

function placed(finding: Finding, file: FileDefinition | null): Problem {
  const { code, severity, message, example } = finding;
  const words = example === undefined ? message : `${message} ${example}`;
  const common = { code, severity, definition: keyOf(finding), message: `${keyOf(finding)}: ${words}` };
  if (file === null) return { ...common, file: keyOf(finding), line: null, column: null };
  const place = file.placeOf(finding.path === '' ? [] : finding.path.split('.'));
  return { ...common, file: file.file.name, ...place };
}
