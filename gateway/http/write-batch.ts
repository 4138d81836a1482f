import { isUtf8 } from 'node:buffer';
import { ERRORS } from '#gateway/contract/errors.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { BatchResult, Reply } from '#gateway/pipeline/request.ts';
import { errorBodyOf } from './error-body.ts';

/** The reply of a batch, see `BatchResults`. Content goes in as a JSON string, so nothing stored can pass for structure. */
export function writeBatch(results: readonly BatchResult[], consoleUrl: string): string {
  return `{"results":[${results.map((result) => writeResult(result, consoleUrl)).join(',')}]}`;
}

function writeResult({ requestId, outcome, misfit }: BatchResult, consoleUrl: string): string {
  if (isDenial(outcome)) {
    const { error } = errorBodyOf(outcome, requestId, consoleUrl);
    return JSON.stringify({ status: ERRORS[outcome.code].status, requestId, error });
  }
  const { status, version, contentType, body } = outcome;
  // Ids, versions and base64 have no character that JSON escapes, and replies of our own making are JSON already.
  let json = `{"status":${status},"requestId":"${requestId}"`;
  if (version !== null) json += `,"version":"${version}"`;
  if (misfit !== null) json += `,"misfit":${JSON.stringify(misfit)}`;
  if (typeof body === 'string') json += `,"body":${body}`;
  else if (body !== null) json += `,"contentType":${JSON.stringify(contentType)},${contentOf(body)}`;
  return `${json}}`;
}

function contentOf(body: Extract<Reply['body'], Uint8Array>): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (isUtf8(bytes)) return `"text":${JSON.stringify(bytes.toString('utf8'))}`;
  return `"base64":"${bytes.toString('base64')}"`;
}
