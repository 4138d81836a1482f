import type { Answer } from './calls/answer.ts';
import type { Catalog, ContentOf, ObjectName, Ref } from './catalog.ts';
import { bodyOf, type Content, type ContentFor, contentFields, type Found, foundOf } from './content.ts';
import type { Operation } from './operation.ts';
import type { Conflict, Deleted, Written } from './replies.ts';

/** A version that the caller has; when it is still the present one, the answer is `unchanged` and carries no content. */
export interface IfNoneMatch {
  readonly ifNoneMatch: string;
}

/** Only over this version, or only where there is nothing. */
export type Precondition = { readonly ifMatch: string } | { readonly ifAbsent: true };

export interface ObjectOperations<T extends Catalog> {
  get<N extends ObjectName<T>>(ref: Ref<N>): Operation<Found<ContentOf<T, N>> | null>;
  get<N extends ObjectName<T>>(
    ref: Ref<N>,
    condition: IfNoneMatch,
  ): Operation<Found<ContentOf<T, N>> | 'unchanged' | null>;
  put<N extends ObjectName<T>>(ref: Ref<N>, content: ContentFor<T, NoInfer<N>>): Operation<Written<N>>;
  put<N extends ObjectName<T>>(
    ref: Ref<N>,
    content: ContentFor<T, NoInfer<N>>,
    precondition: Precondition,
  ): Operation<Written<N> | Conflict>;
  create<N extends ObjectName<T>>(type: N, content: ContentFor<T, NoInfer<N>>): Operation<Written<N>>;
  delete<N extends ObjectName<T>>(ref: Ref<N>): Operation<Deleted>;
  delete<N extends ObjectName<T>>(
    ref: Ref<N>,
    precondition: { readonly ifMatch: string },
  ): Operation<Deleted | Conflict>;
}

type Conditions = Partial<IfNoneMatch & { readonly ifMatch: string; readonly ifAbsent: true }>;

export const objectOperations = { get, put, create, delete: remove };

function get(ref: Ref<string>, { ifNoneMatch }: Conditions = {}): Operation<Found | 'unchanged' | null> {
  return {
    ...{ name: 'object.get', isRead: true, about: ref.type },
    toHttp: () => ({
      method: 'GET',
      path: objectPath(ref),
      headers: ifNoneMatch === undefined ? {} : { 'if-none-match': `"${ifNoneMatch}"` },
      body: null,
    }),
    toFields: () => ({
      ...{ op: 'object.get', ...at(ref) },
      ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: [ifNoneMatch] }),
    }),
    read: ({ status, version, contentType, content }) =>
      status === 304 ? 'unchanged' : foundOf(version ?? '', contentType ?? '', content),
    answers: { object_not_found: null },
  };
}

function put(
  ref: Ref<string>,
  content: Content,
  { ifMatch, ifAbsent }: Conditions = {},
): Operation<Written<string> | Conflict> {
  const isConditional = ifMatch !== undefined || ifAbsent === true;
  return {
    ...{ name: 'object.put', isRead: false, about: ref.type },
    toHttp: () => {
      const { body, contentType } = bodyOf(content);
      const headers: Record<string, string> = { 'content-type': contentType };
      if (ifMatch !== undefined) headers['if-match'] = `"${ifMatch}"`;
      if (ifAbsent === true) headers['if-none-match'] = '*';
      return { method: 'PUT', path: objectPath(ref), headers, body };
    },
    toFields: () => ({ op: 'object.put', ...at(ref), ...contentFields(content), ...conditions(ifMatch, ifAbsent) }),
    read: (answer) => writtenOf(ref.type, answer),
    answers: isConditional ? CONFLICTS : {},
  };
}

function create(type: string, content: Content): Operation<Written<string>> {
  return {
    ...{ name: 'object.create', isRead: false, about: type },
    toHttp: () => {
      const { body, contentType } = bodyOf(content);
      const path = `/objects/${encodeURIComponent(type)}`;
      return { method: 'POST', path, headers: { 'content-type': contentType }, body };
    },
    toFields: () => ({ op: 'object.create', type, ...contentFields(content) }),
    read: (answer) => writtenOf(type, answer),
    answers: {},
  };
}

function remove(ref: Ref<string>, { ifMatch }: Conditions = {}): Operation<Deleted | Conflict> {
  return {
    ...{ name: 'object.delete', isRead: false, about: ref.type },
    toHttp: () => ({
      method: 'DELETE',
      path: objectPath(ref),
      headers: ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` },
      body: null,
    }),
    toFields: () => ({ op: 'object.delete', ...at(ref), ...conditions(ifMatch, undefined) }),
    read: (answer) => {
      const { deleted, sweeping } = answer.json<{ readonly deleted: boolean; readonly sweeping?: true }>();
      return { conflict: null, deleted, sweeping: sweeping === true };
    },
    answers: ifMatch === undefined ? {} : CONFLICTS,
  };
}

export const CONFLICTS = {
  version_conflict: { conflict: 'version_conflict' },
  already_exists: { conflict: 'already_exists' },
} as const satisfies Record<string, Conflict>;

/** Fields of a batch or a commit. */
export function conditions(ifMatch: string | undefined, ifAbsent: true | undefined) {
  return { ...(ifMatch === undefined ? {} : { ifMatch }), ...(ifAbsent === undefined ? {} : { ifAbsent }) };
}

export function objectPath({ type, id }: Ref<string>): string {
  return `/objects/${encodeURIComponent(type)}/${encodeURIComponent(id)}`;
}

export function writtenOf(type: string, answer: Pick<Answer, 'json' | 'misfit'>): Written<string> {
  const { id, version, created } = answer.json<{ id: string; version: string; created: boolean }>();
  return { conflict: null, ref: { type, id }, version, created, misfit: answer.misfit };
}

function at({ type, id }: Ref<string>): Ref<string> {
  return { type, id };
}
