import type { AuditDraft } from '#gateway/pipeline/audit-rows.ts';

const WINDOW_MS = 10_000;
const SINGLE_PER_SECOND = 20;

/**
 * Refusals by the thousand become few rows: `forbidden` is written singly up to 20 a second per principal; beyond that,
 * and for every other code, the first of a (principal, code) is written at once and those of the following 10 s as one
 * row with their count and the first of them as sample.
 */
export interface Fold {
  refuse(draft: AuditDraft): void;
  flushDue(): void;
  flushAll(): void;
}

interface Window {
  readonly endsMs: number;
  sample: AuditDraft | null;
  count: number;
}

export function createFold(options: { append: (draft: AuditDraft) => boolean; nowMs: () => number }): Fold {
  const { append, nowMs } = options;
  const windows = new Map<string, Window>();
  const singles = new Map<string, { second: number; count: number }>();

  const isSingle = ({ code, principal }: AuditDraft): boolean => {
    if (code !== 'forbidden' || principal === null) return false;
    const second = Math.floor(nowMs() / 1_000);
    const seen = singles.get(principal);
    if (seen === undefined || seen.second !== second) {
      singles.set(principal, { second, count: 1 });
      return true;
    }
    seen.count += 1;
    return seen.count <= SINGLE_PER_SECOND;
  };
  const flush = (key: string, window: Window) => {
    windows.delete(key);
    if (window.sample !== null) append({ ...window.sample, count: window.count });
  };
  return {
    refuse: (draft) => {
      if (isSingle(draft)) {
        append(draft);
        return;
      }
      const key = `${draft.principal ?? ''}|${draft.code}`;
      const window = windows.get(key);
      if (window === undefined || window.endsMs <= nowMs()) {
        if (window !== undefined) flush(key, window);
        windows.set(key, { endsMs: nowMs() + WINDOW_MS, sample: null, count: 0 });
        append(draft);
        return;
      }
      window.sample ??= draft;
      window.count += 1;
    },
    flushDue: () => {
      for (const [key, window] of windows) if (window.endsMs <= nowMs()) flush(key, window);
      const second = Math.floor(nowMs() / 1_000);
      for (const [principal, seen] of singles) if (seen.second < second) singles.delete(principal);
    },
    flushAll: () => {
      for (const [key, window] of windows) flush(key, window);
    },
  };
}
