'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSettled } from '#components/ui/use-settled.ts';
import type { ChangeDetail, Check, Finding, PolicyTestResult } from '#server/contract/changes.ts';
import { SLOW_SECTIONS } from '#server/contract/rules.ts';
import { type DraftBook, isDirty } from './draft-book.ts';
import { beginChecksQuery, checkQuery } from './queries.ts';
import { sectionOf } from './verdict-sections.ts';

/** Findings follow typing within this pause and one request. */
const PAUSE_MS = 200;

export interface Checks {
  readonly findings: readonly Finding[];
  readonly effects: ChangeDetail['effects'];
  /** How the tests of edited policies came out. */
  readonly tests: readonly PolicyTestResult[];
  /** How far each part of the verdict is. */
  readonly checks: readonly Check[];
  /** There is no edit, so there is nothing that could be checked. */
  readonly isEmpty: boolean;
  readonly isRunning: boolean;
  /** Nothing was checked yet since the page opened. */
  readonly isFirst: boolean;
  /** The slow parts are of what was saved before what stands on the page. */
  readonly isSlowOutdated: boolean;
  /** The checks could not run: what is shown is of an earlier state. */
  readonly error: unknown;
}

/**
 * The verdict of the drafts: live findings of the quick parts for who may edit, what the server keeps with the change for
 * all others and for the slow parts. Those are started when they have no result, and go on when the page is left.
 */
export function useChecks(detail: ChangeDetail, book: DraftBook): Checks {
  const edits = useMemo(() => [...book.values()].map(({ kind, name, document }) => ({ kind, name, document })), [book]);
  const settled = useSettled(edits, PAUSE_MS);
  const isLive = detail.may.edit.may && edits.length > 0;
  const query = useQuery({
    ...checkQuery(detail.row.number, settled),
    enabled: detail.may.edit.may && settled.length > 0,
    placeholderData: keepPreviousData,
  });
  useQuery({
    ...beginChecksQuery(detail.row.number, detail.contentHash),
    enabled: detail.checks.some(({ state }) => state === 'waiting'),
  });
  const live = isLive ? query.data : undefined;
  return {
    findings: live === undefined ? detail.findings : [...live.findings, ...detail.findings.filter(isSlow)],
    effects: live?.effects ?? detail.effects,
    tests: live?.tests ?? detail.tests ?? [],
    checks: detail.checks,
    isEmpty: edits.length === 0,
    isRunning: query.isFetching || settled !== edits,
    isFirst: isLive && query.data === undefined && query.error === null,
    isSlowOutdated: isLive && detail.checks.length > 0 && [...book.values()].some(isDirty),
    error: query.error ?? undefined,
  };
}

const SLOW: ReadonlySet<string> = new Set(SLOW_SECTIONS);

function isSlow(finding: Finding): boolean {
  return SLOW.has(sectionOf(finding));
}
