import type { Random } from '#test/gateway/histories/random.ts';

/** Path segments that are none, or nearly none: twisted encodings, control characters, dots, lengths at the edges. */
const SEGMENTS = [
  '',
  '.',
  '..',
  '%2e',
  '%2e%2e',
  '%2E%2e%2F',
  '%00',
  'a%00b',
  '%',
  '%1',
  '%GG',
  '%C0%AF',
  '%c0%80',
  '%F8%88%80%80%80',
  '%ED%A0%80',
  '%EF%BB%BF',
  '%EF%BF%BE',
  '%FF%FE',
  '%0d%0aX-Evil:1',
  '%7F',
  '%C2%85',
  ';x=1',
  '\\',
  '*',
  '~',
  "'",
  '"',
  '{id}',
  '<script>',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  ':',
  ':count',
  ':commit',
  ':changeType',
  '%3Acount',
  'a:count',
  '%E2%80%AE',
  '%F0%9F%92%A9',
  '%25252e',
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(4_000),
  '%C3%BC'.repeat(127),
  '%C3%BC'.repeat(128),
  'true',
  'null',
  'NaN',
  '0',
  '-1',
  'openapi.json',
  'batch',
  'objects',
] as const;

/** Numbers as JSON writes them, or does not. */
const NUMBERS = [
  '1e400',
  '-1e400',
  '-0',
  '0.1',
  '1.5',
  '9007199254740993',
  '-9007199254740993',
  '1e21',
  '8.64e15',
  '8640000000000001',
  '-1',
  '00',
  '0x10',
  'Infinity',
  'NaN',
  '+1',
  '1e',
  '.5',
  '1_000',
  '99999999999999999999999999',
  '1e-400',
  '2147483648',
] as const;

/** Strings as JSON writes them. */
const STRINGS = [
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\uFEFF"',
  '"\u202e"',
  '"__proto__"',
  '"constructor"',
  '"."',
  '".."',
  '"\\n"',
  '"%00"',
  '"$ne"',
  '"\\/\\/"',
  '"a\\u0000b"',
  '"💩"',
  '"\\u007f"',
  `"${'y'.repeat(300)}"`,
  '"not a name"',
  '"1"',
  `"${'\\u00e9'.repeat(128)}"`,
  '"o1\' OR 1=1"',
  '"{\\"json\\":1}"',
  '"]}"',
] as const;

/** Values of headers. */
const TEXTS = [
  '',
  ' ',
  'x',
  '\t',
  '0',
  '-1',
  '1e3',
  '99999999',
  '٣',
  'null',
  'undefined',
  '*',
  '""',
  '"',
  'W/"1"',
  '"1"',
  '"zzzzzzzzzzzz"',
  '1',
  '\u00ff\u00fe',
  "';--",
  '$(id)',
  '../..',
  'a,b',
  'critical, critical',
  'Critical',
  'eventual',
  'k'.repeat(128),
  'k'.repeat(129),
  'k'.repeat(2_049),
  'k'.repeat(6_000),
  '%00',
  '\u0080\u0081',
  'application/json; charset=utf-7',
  '[object Object]',
] as const;

export const oddSegment = (random: Random): string => random.one(SEGMENTS);
export const oddText = (random: Random): string => random.one(TEXTS);

/** A value of JSON, which now and then is none. */
export function oddJson(random: Random, depth = 0): string {
  switch (random.below(depth > 3 ? 3 : 6)) {
    case 0:
      return random.one(NUMBERS);
    case 1:
      return random.one(STRINGS);
    case 2:
      return random.one(['true', 'false', 'null', 'undefined', '{}', '[]']);
    case 3:
      return `[${Array.from({ length: random.below(4) }, () => oddJson(random, depth + 1)).join(',')}]`;
    case 4:
      return `{${Array.from({ length: random.below(4) }, () => `${random.one(STRINGS)}:${oddJson(random, depth + 1)}`).join(',')}}`;
    default: {
      const levels = random.one([63, 64, 65, 500, 2_000]);
      return random.chance(50)
        ? '['.repeat(levels) + ']'.repeat(levels)
        : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    }
  }
}

/** What became of bytes on their way: flipped, cut, doubled, or something put in. */
export function garbled(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let times = 1 + random.below(4); times > 0 && copy.length > 0; times--) {
    const at = random.below(copy.length);
    copy[at] = random.chance(50) ? (copy[at] ?? 0) ^ (1 << random.below(8)) : random.below(256);
  }
  const at = random.below(copy.length + 1);
  switch (random.below(4)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      return Buffer.concat([copy.subarray(0, at), randomBytes(random, 1 + random.below(20)), copy.subarray(at)]);
    case 2:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(Math.min(copy.length, at + 1 + random.below(8)))]);
    default:
      return copy;
  }
}

export function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
