import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { BatchResult } from '#gateway/client/calls/answer.ts';
import { MOST_OPERATIONS } from '#gateway/client/calls/batch.ts';
import { MAX_DEADLINE_MS as CLIENT_DEADLINE_MS } from '#gateway/client/calls/call.ts';
import type { Consistency } from '#gateway/client/calls/options.ts';
import { COUNT_RU, listRu, objectRu } from '#gateway/client/explain/ru-model.ts';
import { GATEWAY_CODES, type GatewayCode } from '#gateway/client/habitat-error.ts';
import type { OperationName } from '#gateway/client/operation.ts';
import {
  type BatchOperation,
  type BatchResults,
  HEADERS_IN,
  HEADERS_OUT,
  MAX_BATCH_OPERATIONS,
  MAX_DEADLINE_MS,
} from '#gateway/contract/data-api.ts';
import { ERRORS, type ErrorCode } from '#gateway/contract/errors.ts';
import { estimateRu } from '#gateway/pipeline/estimate.ts';
import type { Work } from '#gateway/pipeline/work.ts';

const SOURCE = resolve(import.meta.dirname, '../../../gateway/client');
const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const textOf = (name: string) => readFileSync(resolve(SOURCE, name), 'utf8');

describe('what the client says of itself is what the gateway speaks', () => {
  it('the same codes', () => {
    expect([...GATEWAY_CODES].sort()).toEqual(Object.keys(ERRORS).sort());
    expectTypeOf<GatewayCode>().toEqualTypeOf<ErrorCode>();
  });

  it('the same operations, results and limits', () => {
    expectTypeOf<OperationName>().toEqualTypeOf<BatchOperation['op']>();
    type Result = z.infer<typeof BatchResults>['results'][number];
    expectTypeOf<Exclude<keyof Result, keyof BatchResult>>().toBeNever();
    expectTypeOf<Exclude<keyof BatchResult, keyof Result>>().toBeNever();
    expectTypeOf<Consistency>().toEqualTypeOf<'eventual' | 'session' | 'critical'>();
    expect(MOST_OPERATIONS).toBe(MAX_BATCH_OPERATIONS);
    expect(CLIENT_DEADLINE_MS).toBe(MAX_DEADLINE_MS);
  });

  it('the same headers: each name that it sends or reads is one of the contract', () => {
    const known: string[] = [...Object.values(HEADERS_IN), ...Object.values(HEADERS_OUT)].map((name) =>
      name.toLowerCase(),
    );
    const named = sources.flatMap((name) => [...textOf(name).matchAll(/'(habitat-[a-z-]+|idempotency-key)'/g)]);
    const headers = new Set(named.map(([, header]) => header).filter((header) => header !== 'habitat-client'));
    expect(headers.size).toBeGreaterThan(6);
    for (const header of headers) expect(known).toContain(header);
  });

  it('the same reckoning of what an operation costs', () => {
    const ru = (work: Partial<Work>) => estimateRu(work as Work);
    for (const limit of [1, 50, 1_000]) expect(listRu(limit)).toBe(ru({ operation: 'edge.list', limit, pos: null }));
    expect(COUNT_RU).toBe(ru({ operation: 'edge.count' }));
    expect(objectRu(1_024)).toBe(ru({ operation: 'object.get' }));
    // What Cosmos DB charges for 4, 16 and 64 KB.
    for (const [kb, charged] of [
      [4, 1.14],
      [16, 1.67],
      [64, 4.76],
    ] as const) {
      expect(Math.abs(objectRu(kb * 1_024) - charged)).toBeLessThan(0.3);
    }
  });
});
