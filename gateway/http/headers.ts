import type { IncomingHttpHeaders } from 'node:http';
import { DEFAULT_DEADLINE_MS, HEADERS_IN, MAX_DEADLINE_MS } from '#gateway/contract/data-api.ts';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { Call } from '#gateway/pipeline/request.ts';
import type { Consistency } from '#gateway/pipeline/store-port.ts';
import type { Sessions } from '#gateway/sealed/session.ts';

const CONSISTENCIES: readonly string[] = ['eventual', 'session', 'critical'] satisfies Consistency[];
/** 1–128 printable ASCII characters. */
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,128}$/;

export type CallOptions = Pick<Call, 'idempotencyKey' | 'deadlineMs' | 'consistency' | 'session'>;

/** The headers that say how to serve a request, whatever it asks. Refuses with `malformed_request`. */
export function readCallOptions(headers: IncomingHttpHeaders, sessions: Sessions): CallOptions | Denial {
  const idempotencyKey = headerOf(headers, HEADERS_IN.idempotencyKey);
  if (idempotencyKey !== null && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    return deny('malformed_request', 'Idempotency-Key has 1 to 128 printable ASCII characters.');
  }
  const deadline = headerOf(headers, HEADERS_IN.deadlineMs);
  const deadlineMs = deadline === null ? DEFAULT_DEADLINE_MS : /^\d{1,6}$/.test(deadline) ? Number(deadline) : 0;
  if (deadlineMs < 1 || deadlineMs > MAX_DEADLINE_MS) {
    return deny('malformed_request', `Habitat-Deadline-Ms is a whole number from 1 to ${MAX_DEADLINE_MS}.`);
  }
  const consistency = headerOf(headers, HEADERS_IN.consistency) ?? 'session';
  if (!isConsistency(consistency)) {
    return deny('malformed_request', `Habitat-Consistency is one of ${CONSISTENCIES.join(', ')}.`);
  }
  const sealed = headerOf(headers, HEADERS_IN.session);
  const session = sealed === null ? [] : sessions.open(sealed);
  if (session === null) {
    return deny('malformed_request', 'Habitat-Session is not one that this fleet gave out. Send the last one you got.');
  }
  return { idempotencyKey, deadlineMs, consistency, session };
}

/** `If-None-Match` of a read: the versions that the caller has, `*` for any. */
export function readIfNoneMatch(headers: IncomingHttpHeaders): readonly string[] {
  const text = headerOf(headers, HEADERS_IN.ifNoneMatch);
  if (text === null) return [];
  return text.split(',').map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'));
}

/** Preconditions of a write of an object. Refuses with `malformed_request`. */
export function readPreconditions(
  headers: IncomingHttpHeaders,
): { readonly ifMatch: number | null; readonly ifAbsent: boolean } | Denial {
  const match = headerOf(headers, HEADERS_IN.ifMatch);
  const noneMatch = headerOf(headers, HEADERS_IN.ifNoneMatch);
  if (noneMatch !== null && noneMatch !== '*') return deny('malformed_request', 'If-None-Match of a write is "*".');
  if (match !== null && noneMatch !== null) {
    return deny('malformed_request', 'If-Match and If-None-Match exclude each other.');
  }
  if (match === null) return { ifMatch: null, ifAbsent: noneMatch !== null };
  const [, version] = /^"([0-9a-z]{1,11})"$/.exec(match) ?? [];
  const ifMatch = version === undefined ? null : readRevision(version);
  if (ifMatch === null || isDenial(ifMatch)) {
    return deny('malformed_request', 'If-Match is one version in quotes, as ETag gave it.');
  }
  return { ifMatch, ifAbsent: false };
}

/** The revision that a version stands for, null for none. Refuses with `malformed_request`. */
export function readRevision(version: string | undefined): number | null | Denial {
  if (version === undefined) return null;
  const revision = Number.parseInt(version, 36);
  if (Number.isSafeInteger(revision) && revision.toString(36) === version) return revision;
  return deny('malformed_request', 'A version is given exactly as a reply gave it.');
}

/** A header's value; null when absent. Node joins repeated ones of ours with a comma, which no format of ours allows. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(', ') : value;
}

function isConsistency(text: string): text is Consistency {
  return CONSISTENCIES.includes(text);
}
