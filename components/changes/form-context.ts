'use client';

import { createContext, use } from 'react';
import type { ChangeComment, Finding, PolicyTestResult, Possible } from '#server/contract/changes.ts';
import type { Draft, DraftBook } from './draft-book.ts';

/** What the rows of a definition's form share: the draft, how to change it, and what is wrong where. */
export interface FormWiring {
  readonly draft: Draft;
  readonly book: DraftBook;
  readonly set: (path: string, value: unknown) => void;
  readonly update: (change: (book: DraftBook) => DraftBook) => void;
  readonly findings: readonly Finding[];
  readonly issues: ReadonlyMap<string, string>;
  readonly effects: readonly { readonly kind: string; readonly text: string }[];
  /** How the tests of edited policies came out. */
  readonly tests: readonly PolicyTestResult[];
  /** Untouched fields of a new definition show no errors. */
  readonly isTouched: (path: string) => boolean;
  readonly touch: (path: string) => void;
  /** Remarks on the change, and whether one more may be made. */
  readonly talk: {
    readonly number: number;
    readonly comments: readonly ChangeComment[];
    readonly may: Possible;
  };
  /** Why nothing can be typed; undefined when it can. */
  readonly readOnlyWhy: string | undefined;
}

export const FormContext = createContext<FormWiring | undefined>(undefined);

/** The form around a row. */
export function useFormWiring(): FormWiring {
  const wiring = use(FormContext);
  if (wiring === undefined) throw new Error('a form row needs a DefinitionForm around it');
  return wiring;
}
