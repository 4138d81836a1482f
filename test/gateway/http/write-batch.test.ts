import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BatchResults } from '#gateway/contract/data-api.ts';
import { writeBatch } from '#gateway/http/write-batch.ts';
import { deny } from '#gateway/pipeline/denial.ts';
import type { BatchResult, Reply } from '#gateway/pipeline/request.ts';

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => new Uint8Array(Buffer.from(text))),
);
const reply: fc.Arbitrary<Reply> = fc.record({
  kind: fc.constant('answer' as const),
  status: fc.constantFrom(200, 201, 304),
  contentType: fc.string({ unit: 'binary', maxLength: 30 }),
  version: fc.oneof(
    fc.constant(null),
    fc.nat().map((r) => r.toString(36)),
  ),
  body: fc.oneof(fc.constant(null), bytes, fc.json()),
  session: fc.constant([]),
});
const denial = fc.string({ unit: 'binary' }).map((message) => deny('forbidden', message));
const result: fc.Arbitrary<BatchResult> = fc.record({
  requestId: fc.stringMatching(/^[0-9A-Z]{26}$/),
  outcome: fc.oneof(reply, denial),
  misfit: fc.oneof(
    fc.constant(null),
    fc.record({ path: fc.string({ unit: 'binary' }), reason: fc.string({ unit: 'binary' }) }),
  ),
});

test('whatever the operations answered is read back as it was, by anyone who reads JSON', () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 4 }), (results) => {
      const read = BatchResults.parse(JSON.parse(writeBatch(results, 'http://console'))).results;
      expect(read).toHaveLength(results.length);
      for (const [index, { requestId, outcome, misfit }] of results.entries()) {
        const one = read[index];
        expect(one?.requestId).toBe(requestId);
        if ('code' in outcome) {
          expect(one).toMatchObject({ status: 403, error: { code: 'forbidden', message: outcome.message, requestId } });
          continue;
        }
        expect(one).toMatchObject({
          status: outcome.status,
          ...(outcome.version === null ? {} : { version: outcome.version }),
          ...(misfit === null ? {} : { misfit }),
        });
        expect(contentOf(one)).toEqual(expectedOf(outcome));
      }
    }),
    { numRuns: 500 },
  );
});

type Read = ReturnType<typeof BatchResults.parse>['results'][number];

function contentOf(one: Read | undefined) {
  return { text: one?.text, base64: one?.base64, body: one?.body, contentType: one?.contentType };
}

function expectedOf({ body, contentType }: Reply) {
  if (typeof body === 'string') return { body: JSON.parse(body) };
  if (body === null) return {};
  const content = Buffer.from(body);
  return {
    ...(isUtf8(content) ? { text: content.toString('utf8') } : { base64: content.toString('base64') }),
    contentType,
  };
}
