import { gzipSync } from 'node:zlib';
import type { Random } from '#test/gateway/histories/random.ts';
import { bodyFor, type Drawing, EDGES, idOf, TYPES } from './draw-body.ts';
import type { FuzzRequest } from './fuzz-case.ts';
import { garbled, oddJson, oddSegment, oddText, randomBytes } from './odd-values.ts';

const METHODS = [
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'QUERY',
] as const;

/** Types and the edge types that start there, and now and then not. */
const STARTS = [
  ['Conversation', 'messages'],
  ['Conversation', 'pins'],
  ['Message', 'inConversation'],
] as const;

/** A path of the API, right but for what it may name. */
export function pathOf(random: Random, tenant: string): string {
  const [type, edge] = random.chance(85) ? random.one(STARTS) : ([random.one(TYPES), random.one(EDGES)] as const);
  const object = `/v1/${tenant}/objects/${type}/${idOf(random)}`;
  const edges = `${object}/edges/${edge}`;
  return random.one([
    object,
    edges,
    `${edges}/${idOf(random)}`,
    `${edges}:count`,
    `${edges}/${idOf(random)}:changeType`,
    `${object}:commit`,
    `/v1/${tenant}/objects/${type}`,
    `/v1/${tenant}/batch`,
  ]);
}

/** A method that the end of a path takes. */
function methodFor(target: string, random: Random): string {
  if (/(\/batch|:commit|:changeType|objects\/\w+)$/.test(target)) return 'POST';
  if (/(:count|edges\/\w+)$/.test(target)) return 'GET';
  return random.one(['GET', 'PUT', 'PUT', 'DELETE']);
}

export function keyHeader({ as, loot }: Drawing): readonly [string, string] {
  return ['Authorization', `Bearer ${loot.keys[as]}`];
}

/** A request that fits the API, for others to spoil. */
export function plainRequest(drawing: Drawing): FuzzRequest {
  const { random, as } = drawing;
  const target = pathOf(random, as);
  const method = random.chance(90) ? methodFor(target, random) : random.one(METHODS.slice(0, 4));
  const body = method === 'PUT' || method === 'POST' ? { body: bodyFor(target, drawing) } : {};
  return { method, target, headers: [keyHeader(drawing)], ...body };
}

/** Segments, queries and methods that are odd. */
export function oddPath(drawing: Drawing): FuzzRequest {
  const { random, as } = drawing;
  const segments = pathOf(random, random.chance(85) ? as : random.one(['nobody', 'Chat', 'chat%20', ''])).split('/');
  for (let times = random.below(3); times > 0; times--)
    segments[1 + random.below(segments.length - 1)] = oddSegment(random);
  if (random.chance(10)) segments.splice(1 + random.below(segments.length), 0, oddSegment(random));
  if (random.chance(8)) segments.push('edges', 'messages', idOf(random), 'edges', 'pins');
  const target = (segments.join('/') || '/') + (random.chance(45) ? `?${queryOf(random)}` : '');
  return { method: random.one(METHODS), target: target.replaceAll(/[\s]/g, ''), headers: [keyHeader(drawing)] };
}

const PARAMETERS = [
  'limit',
  'cursor',
  'pos',
  'after',
  'before',
  'id',
  'Limit',
  '__proto__',
  'tenant',
  'l%69mit',
  '',
] as const;
const VALUES = [
  '1',
  '50',
  '0',
  '-1',
  '10001',
  '1e3',
  '1.0',
  '8640000000000001',
  '9007199254740993',
  '%31',
  '+1',
  '',
  'o1',
  'true',
  '%00',
  '%',
  '%FF',
  'a=b',
] as const;

function queryOf(random: Random): string {
  const pairs = Array.from({ length: random.one([1, 1, 2, 3, 101]) }, () => {
    const name = random.one(PARAMETERS);
    return random.chance(8) ? name : `${name}=${random.chance(80) ? random.one(VALUES) : oddSegment(random)}`;
  });
  return pairs.join(random.one(['&', '&', '&&', ';', '?']));
}

const HEADERS = [
  'Idempotency-Key',
  'Habitat-Deadline-Ms',
  'Habitat-Consistency',
  'Habitat-Session',
  'If-Match',
  'If-None-Match',
  'Traceparent',
  'Content-Type',
  'Content-Encoding',
  'Accept',
  'Accept-Encoding',
  'Range',
  'Cookie',
  'X-Forwarded-For',
  'X-HTTP-Method-Override',
  'Authorization',
  'Connection',
  'Origin',
  'Via',
  '__proto__',
  'X-Original-URL',
  'TE',
] as const;

/** Headers that are odd, doubled, long or many. */
export function oddHeaders(drawing: Drawing): FuzzRequest {
  const { random } = drawing;
  const request = plainRequest(drawing);
  const headers: [string, string][] = [];
  for (let times = 1 + random.below(3); times > 0; times--) headers.push([random.one(HEADERS), oddText(random)]);
  if (random.chance(10)) headers.push(['X-Long', 'z'.repeat(random.one([1_000, 12_000, 15_000]))]);
  if (random.chance(5)) for (let at = 0; at < 900; at++) headers.push([`x${at}`, '1']);
  return {
    ...request,
    headers: random.chance(50) ? [...headers, ...request.headers] : [...request.headers, ...headers],
  };
}

/** Bodies that are no JSON, twisted JSON, or of another encoding. */
export function oddBody(drawing: Drawing): FuzzRequest {
  const { random, as } = drawing;
  const target = pathOf(random, as);
  const right = Buffer.from(bodyFor(target, drawing));
  const body = random.one<() => Uint8Array | string>([
    () => oddJson(random),
    () => `{${random.one(['"time"', '"data"', '"to"', '"operations"', '"t\\u0069me"'])}:${oddJson(random)}}`,
    () => `{"time":1,"time":2}`,
    () => `{"data":"a","__proto__":{"time":1}}`,
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), right]),
    () => gzipSync(right),
    () => Buffer.from(right.toString(), 'utf16le'),
    () => Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80]),
    () => garbled(right, random),
    () => randomBytes(random, random.below(200)),
    () => Buffer.alloc(random.one([0, 1, 512, 513, 32_768, 32_769, 100_001]), 0x20),
  ])();
  const encoding: [string, string][] = random.chance(30)
    ? [['Content-Encoding', random.one(['gzip', 'br', 'identity', 'x'])]]
    : [];
  return { method: /\/o\d+$/.test(target) ? 'PUT' : 'POST', target, headers: [keyHeader(drawing), ...encoding], body };
}

/** Cursors and sessions that are made up, cut, flipped, of another list, another principal or the other tenant. */
export function sealedThings(drawing: Drawing): FuzzRequest {
  const { random, as, loot } = drawing;
  const isCursor = random.chance(50);
  const owner = random.chance(50) ? as : as === 'chat' ? 'rival' : 'chat';
  const text = spoiled(random.one(isCursor ? loot.cursors[owner] : loot.sessions[owner]), random);
  if (!isCursor) return { ...plainRequest(drawing), headers: [keyHeader(drawing), ['Habitat-Session', text]] };
  const [type, edge] = random.one([
    ['Conversation', 'messages'],
    ['Message', 'inConversation'],
    ['Conversation', 'pins'],
  ] as const);
  const more = random.one(['', '', '&after=1', '&pos=1', '&limit=2']);
  const target = `/v1/${as}/objects/${type}/${random.one(['list', idOf(random)])}/edges/${edge}?cursor=${encodeURIComponent(text)}${more}`;
  return { method: 'GET', target, headers: [keyHeader(drawing)] };
}

function spoiled(sealed: string, random: Random): string {
  const bytes = Buffer.from(sealed, 'base64url');
  switch (random.below(7)) {
    case 0:
      return sealed;
    case 1:
      return sealed.slice(0, random.below(sealed.length));
    case 2: {
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      return bytes.toString('base64url');
    }
    case 3:
      return garbled(bytes, random).toString('base64url');
    case 4:
      return randomBytes(random, random.one([0, 1, 15, 47, 60, 149, 1_500])).toString('base64url');
    case 5:
      return Buffer.concat([bytes, randomBytes(random, 1 + random.below(9))]).toString('base64url');
    default:
      return `${sealed}${random.one(['=', '==', '.', '\u00e9', sealed])}`;
  }
}

/** The key of one tenant on what is the other's. */
export function othersThings(drawing: Drawing): FuzzRequest {
  const { random, as } = drawing;
  const other = as === 'chat' ? 'rival' : 'chat';
  const target = pathOf(random, other).replace(/o\d+/, random.one(['secret', 'list', 'o1']));
  const method = random.one(METHODS.slice(0, 4));
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: bodyFor(target, drawing) };
  return { method, target, headers: [keyHeader(drawing)], ...body };
}
