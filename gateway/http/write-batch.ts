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
  const head = JSON.stringify({
    ...{ status, requestId },
    ...(version === null ? {} : { version }),
    ...(misfit === null ? {} : { misfit }),
  });
  // Replies of our own making are JSON already.
  if (typeof body === 'string') return `${head.slice(0, -1)},"body":${body}}`;
  if (body === null) return head;
  return `${head.slice(0, -1)},${JSON.stringify({ contentType, ...contentOf(body) }).slice(1)}`;
}

function contentOf(body: Extract<Reply['body'], Uint8Array>): { text: string } | { base64: string } {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') };
}
