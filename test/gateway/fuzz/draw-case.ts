import { createRandom, type Random } from '#test/gateway/histories/random.ts';
import type { Drawing } from './draw-body.ts';
import { oddFraming, pipelined } from './draw-framing.ts';
import { keyHeader, oddBody, oddHeaders, oddPath, othersThings, plainRequest, sealedThings } from './draw-request.ts';
import { bytesOf, type FuzzCase, type FuzzRequest, type Loot, TENANTS } from './fuzz-case.ts';
import { garbled, oddText, randomBytes } from './odd-values.ts';

const REQUESTS: Readonly<Record<string, (drawing: Drawing) => FuzzRequest>> = {
  'odd path': oddPath,
  'odd headers': oddHeaders,
  'odd body': oddBody,
  'sealed things': sealedThings,
  "other's things": othersThings,
  'as it should be': plainRequest,
  'without a key': withoutKey,
};

const STREAMS: Readonly<Record<string, (drawing: Drawing) => Buffer>> = {
  'odd framing': oddFraming,
  pipelined,
  'garbled request': (drawing) => garbled(bytesOf(plainRequest(drawing)), drawing.random),
  'random bytes': ({ random }) => randomBytes(random, 1 + random.below(400)),
};

const WEIGHTS = {
  'odd path': 20,
  'odd headers': 13,
  'odd body': 20,
  'sealed things': 12,
  "other's things": 8,
  'as it should be': 8,
  'without a key': 1,
  'odd framing': 8,
  pipelined: 4,
  'garbled request': 4,
  'random bytes': 2,
} as const;

/** The case of this number: the same for the same seed and loot. */
export function drawCase(seed: number, index: number, loot: Loot): FuzzCase {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const family = random.weighted(WEIGHTS);
  const as = random.one(TENANTS);
  const drawing: Drawing = { random, as, loot };
  const stream = STREAMS[family];
  if (stream !== undefined) return { family, as, whole: null, ...cut(stream(drawing), random) };
  const request = REQUESTS[family]?.(drawing) ?? plainRequest(drawing);
  const { method, target } = request;
  // What has a say about the connection itself cannot share one.
  const isAlone = request.headers.some(([name]) => /^(connection|te)$/i.test(name)) || headBytes(request) > 15_500;
  const whole = isAlone ? null : { method, target };
  return { family, as: family === 'without a key' ? null : as, whole, ...cut(bytesOf(request), random) };
}

function headBytes({ target, headers }: FuzzRequest): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, target.length + 60);
}

/** A key that is missing, made up, cut or said in another way. */
function withoutKey(drawing: Drawing): FuzzRequest {
  const { random } = drawing;
  const [name, value] = keyHeader(drawing);
  const headers = random.one<readonly (readonly [string, string])[]>([
    [],
    [[name, value.slice(0, -1)]],
    [[name, value.replace('Bearer', 'Basic')]],
    [[name, oddText(random)]],
    [['X-Authorization', value]],
    [[name, value.replace(/hk_\w{4}/, 'hk_AAAA')]],
  ]);
  return { ...plainRequest(drawing), headers };
}

function cut(bytes: Buffer, random: Random): Pick<FuzzCase, 'bytes' | 'cuts'> {
  const cuts = random.chance(15)
    ? Array.from({ length: 1 + random.below(3) }, () => random.below(bytes.length + 1))
    : [];
  return { bytes, cuts: cuts.toSorted((a, b) => a - b) };
}
