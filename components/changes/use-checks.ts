'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ChangeDetail, Finding } from '#server/contract/changes.ts';
import type { DraftBook } from './draft-book.ts';
import { checkQuery } from './queries.ts';
import { useSettled } from './use-settled.ts';

/** Findings follow typing within this pause and one request. */
const PAUSE_MS = 200;

export interface Checks {
  readonly findings: readonly Finding[];
  readonly effects: ChangeDetail['effects'];
  readonly isRunning: boolean;
  /** Nothing was checked yet since the page opened. */
  readonly isFirst: boolean;
  /** The checks could not run: what is shown is of an earlier state. */
  readonly error: unknown;
}

/** Live findings and effects of the drafts for who may edit; what the server keeps with the change for all others. */
export function useChecks(detail: ChangeDetail, book: DraftBook): Checks {
  const edits = useMemo(() => [...book.values()].map(({ kind, name, document }) => ({ kind, name, document })), [book]);
  const settled = useSettled(edits, PAUSE_MS);
  const query = useQuery({
    ...checkQuery(detail.row.number, settled),
    enabled: detail.may.edit.may && settled.length > 0,
    placeholderData: keepPreviousData,
  });
  const source = detail.may.edit.may && edits.length > 0 ? (query.data ?? detail) : detail;
  return {
    findings: source.findings,
    effects: source.effects,
    isRunning: query.isFetching || settled !== edits,
    isFirst: detail.may.edit.may && edits.length > 0 && query.data === undefined && query.error === null,
    error: query.error ?? undefined,
  };
}
