import 'server-only';
import { createHash } from 'node:crypto';
import { canonicalJson } from '#gateway/contract/release.ts';
import type { Effect } from '#server/compile/model.ts';

interface HashedEdit {
  readonly kind: string;
  readonly name: string;
  readonly document: unknown;
  readonly baseRevision: number;
}

/** Hash of a change's edits: equal when and only when the same drafts stand on the same published revisions. */
export function contentHashOf(edits: readonly HashedEdit[]): string {
  const content = edits
    .map(({ kind, name, document, baseRevision }) => ({ kind, name, document, baseRevision }))
    .toSorted((a, b) => (`${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1));
  return sha256(canonicalJson(content));
}

/** Hash of what a change does, as its effects say it. */
export function effectHashOf(effects: readonly Effect[]): string {
  return sha256(canonicalJson(effects));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
