'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ConsoleError } from '#components/api-client.ts';
import type { ChangeDetail } from '#server/contract/changes.ts';
import {
  canSave,
  type Draft,
  type DraftBook,
  draftKey,
  isDirty,
  markListed,
  markSending,
  reconcile,
  takeEdit,
} from './draft-book.ts';
import { changeQuery, sendEdit, sendEditOut } from './queries.ts';
import { readStoredDrafts, storeDrafts } from './stored-drafts.ts';

/** Pause in typing after which a draft is saved. */
const PAUSE_MS = 500;
const RETRY_MS = 5_000;

export interface Drafts {
  readonly book: DraftBook;
  /** Changes the book; what is no longer in it is taken out of the change. */
  readonly update: (change: (book: DraftBook) => DraftBook) => void;
  /** True when the server has everything that stands here. */
  readonly isSaved: boolean;
  /** Why the last save was refused; what was typed stays. */
  readonly problem: ConsoleError | undefined;
  readonly retry: () => void;
}

/**
 * The edits of a change as this page holds them: what was typed here over what the server has. Each is saved by itself
 * after a pause; whatever cannot be saved is kept in this tab's storage and merged by field with what others saved.
 */
export function useDrafts(detail: ChangeDetail): Drafts {
  const { number } = detail.row;
  const [typed, setTyped] = useState<DraftBook>(() => readStoredDrafts(sessionStorage, number));
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const book = useMemo(
    () =>
      reconcile(
        typed,
        detail.edits.filter((edit) => !gone.has(draftKey(edit.kind, edit.name))),
      ),
    [typed, gone, detail.edits],
  );
  // The newest book, also between two renders: what is typed and what comes back from the server meet here.
  const latest = useRef(book);
  latest.current = book;
  const put = useCallback((next: DraftBook) => {
    latest.current = next;
    setTyped(next);
  }, []);
  const saving = useSaving({ number, book, latest, put, isAllowed: detail.may.edit.may });
  useEffect(() => storeDrafts(sessionStorage, number, book), [number, book]);

  const { run } = saving;
  const update = useCallback(
    (change: (book: DraftBook) => DraftBook) => {
      const before = latest.current;
      const after = change(before);
      const removed = [...before].filter(([key]) => !after.has(key));
      put(after);
      setGone((now) => new Set([...now, ...removed.map(([key]) => key)].filter((key) => !after.has(key))));
      for (const [key, draft] of removed) {
        // An edit that the server never had, or lost already, only leaves this page.
        if (draft.version === 0 || draft.isOrphan) continue;
        // Hidden until the server says what became of it; a refused removal shows the edit again.
        const show = () => setGone((now) => new Set([...now].filter((each) => each !== key)));
        void run(key, () => sendEditOut(number, draft)).finally(show);
      }
    },
    [number, run, put],
  );
  const isSaved = saving.isIdle && ![...book.values()].some(isDirty);
  return { book, update, isSaved, problem: saving.problem, retry: saving.retry };
}

interface SavingInput {
  readonly number: number;
  readonly book: DraftBook;
  readonly latest: RefObject<DraftBook>;
  readonly put: (book: DraftBook) => void;
  readonly isAllowed: boolean;
}

function useSaving({ number, book, latest, put, isAllowed }: SavingInput) {
  const client = useQueryClient();
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<ConsoleError>();

  const run = useCallback(
    (key: string, send: () => Promise<void>) => {
      setRunning((now) => new Set(now).add(key));
      return send()
        .then(
          () => setProblem(undefined),
          (error: unknown) => {
            if (!(error instanceof ConsoleError)) throw error;
            // Somebody else saved it first: the fresh read below merges, and the next save names the newer version.
            if (error.code === 'conflict') put(markListed(latest.current, key));
            else setProblem(error);
          },
        )
        .then(() => client.invalidateQueries({ queryKey: changeQuery(number).queryKey }))
        .finally(() => setRunning((now) => new Set([...now].filter((each) => each !== key))));
    },
    [client, number, latest, put],
  );

  const save = useCallback(
    async (key: string) => {
      const draft = latest.current.get(key);
      if (draft === undefined) return;
      put(markSending(latest.current, key));
      const saved = await sendEdit(number, draft);
      if (latest.current.has(key)) put(takeEdit(latest.current, saved));
    },
    [number, latest, put],
  );

  const pending = [...book].filter(([key, draft]) => canSave(draft) && !running.has(key));
  const waiting = useRef(pending);
  waiting.current = pending;
  const flush = useCallback(() => {
    for (const [key] of waiting.current) void run(key, () => save(key));
  }, [run, save]);

  // After signing in again in another tab the page goes on by itself.
  const mayTry = isAllowed && (problem === undefined || problem.retryable || problem.code === 'not_signed_in');
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the book starts the pause again
  useEffect(() => {
    if (!mayTry || waiting.current.length === 0) return;
    const timer = setTimeout(flush, problem === undefined ? PAUSE_MS : RETRY_MS);
    return () => clearTimeout(timer);
  }, [book, running, mayTry, problem, flush]);

  return { run, problem, isIdle: running.size === 0, retry: flush };
}

/** The draft under a key, or the first one; undefined in a change without edits. */
export function draftAt(book: DraftBook, key: string | undefined): Draft | undefined {
  return book.get(key ?? '') ?? book.values().next().value;
}
