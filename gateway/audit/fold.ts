import type { ErrorCode } from '#gateway/contract/errors.ts';
import type { AuditDraft } from '#gateway/pipeline/audit-rows.ts';

const WINDOW_MS = 10_000;
const SINGLE_PER_SECOND = 20;
/** Kinds of refusal that one principal's window of a code tells apart; the rest fold together. */
const MAX_KINDS = 50;

/**
 * Refusals by the thousand become few rows: `forbidden` is written singly up to 20 a second per principal; beyond that,
 * and for every other code, the first of a kind is written at once and those of the following 10 s as one row with their
 * count and the first of them as sample. Where a release decides, a kind is what was refused, by which policy, under
 * which release, so that a count is never of something else, and a row of many kinds names none; elsewhere a kind is the
 * principal and the code.
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

/** Refusals that a release makes: they may be counted as its effect. */
const DECIDED: ReadonlySet<ErrorCode | null> = new Set<ErrorCode>([
  'forbidden',
  'type_deprecated',
  'unknown_tenant',
  'unknown_type',
  'unknown_edge_type',
]);

/** What a row of many kinds does not say. */
const UNNAMED = { operation: null, type: null, objectId: null, edgeType: null, toId: null, policy: null } as const;

export function createFold(options: { append: (draft: AuditDraft) => boolean; nowMs: () => number }): Fold {
  const { append, nowMs } = options;
  const callers = new Map<string, Map<string, Window>>();
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
  const flush = (key: string, { sample, count }: Window) => {
    if (sample === null) return;
    const isMixed = key === '' && DECIDED.has(sample.code);
    append({ ...sample, ...(isMixed ? UNNAMED : {}), count });
  };
  const windowsOf = (draft: AuditDraft): Map<string, Window> => {
    const caller = `${draft.principal ?? ''}|${draft.code}`;
    const known = callers.get(caller) ?? new Map<string, Window>();
    callers.set(caller, known);
    return known;
  };
  return {
    refuse: (draft) => {
      if (isSingle(draft)) {
        append(draft);
        return;
      }
      const windows = windowsOf(draft);
      const kind = kindOf(draft);
      const key = windows.has(kind) || windows.size < MAX_KINDS ? kind : '';
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
      for (const [caller, windows] of callers) {
        for (const [key, window] of windows) {
          if (window.endsMs > nowMs()) continue;
          windows.delete(key);
          flush(key, window);
        }
        if (windows.size === 0) callers.delete(caller);
      }
      const second = Math.floor(nowMs() / 1_000);
      for (const [principal, seen] of singles) if (seen.second < second) singles.delete(principal);
    },
    flushAll: () => {
      for (const windows of callers.values()) for (const [key, window] of windows) flush(key, window);
      callers.clear();
    },
  };
}

function kindOf({ code, release, tenant, operation, type, edgeType, policy }: AuditDraft): string {
  return DECIDED.has(code) ? JSON.stringify([release, tenant, operation, type, edgeType, policy]) : '';
}
