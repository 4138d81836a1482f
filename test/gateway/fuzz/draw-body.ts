import type { Random } from '#test/gateway/histories/random.ts';
import type { Loot, Tenant } from './fuzz-case.ts';
import { oddJson } from './odd-values.ts';

export const TYPES = ['Message', 'Conversation', 'Message', 'Conversation', 'Nope', 'message'] as const;
export const EDGES = ['messages', 'inConversation', 'pins', 'messages', 'nope'] as const;
const IDS = 40;

export interface Drawing {
  readonly random: Random;
  readonly as: Tenant;
  readonly loot: Loot;
}

export const idOf = (random: Random): string => `o${random.below(IDS)}`;

/** A body that suits what is at the end of the path. */
export function bodyFor(target: string, { random }: Drawing): string {
  if (target.endsWith('/batch')) return operationsOf(random, true);
  if (target.endsWith(':commit')) return operationsOf(random, false);
  if (target.endsWith(':changeType')) return `{"to":"${random.one(EDGES)}"}`;
  if (target.includes('/edges/')) return `{"time":${random.below(1_000_000)},"data":"${'d'.repeat(random.below(40))}"}`;
  return `{"n":${random.below(1_000)}}`;
}

const OPERATIONS = [
  'object.get',
  'object.put',
  'object.create',
  'object.delete',
  'edge.get',
  'edge.put',
  'edge.delete',
  'edge.changeType',
  'edge.count',
  'edge.list',
  'commit',
  'object.query',
  '',
  '__proto__',
] as const;

/** The body of a batch or commit, with members that are right, odd, missing or too many. */
function operationsOf(random: Random, isBatch: boolean): string {
  const length = random.chance(95) ? random.one([0, 1, 1, 1, 2, 2, 3, 5, 9]) : random.one([96, 97, 100, 101]);
  const operations = Array.from({ length }, () => operationOf(random, isBatch));
  const list = `[${operations.join(',')}]`;
  return random.one([
    `{"operations":${list}}`,
    `{"operations":${list}}`,
    ` { "operations" : ${list} } `,
    `{"operations":${list},"operations":[]}`,
    `{"operations":${list},"__proto__":{"operations":[]}}`,
    `{"op\\u0065rations":${list}}`,
    `{"operations":${list},"more":${oddJson(random)}}`,
    list,
  ]);
}

function operationOf(random: Random, isBatch: boolean): string {
  if (random.chance(50)) return rightOperation(random, isBatch);
  const members = [`"op":"${random.one(OPERATIONS)}"`];
  const add = (percent: number, name: string, value: () => string) => {
    if (random.chance(percent)) members.push(`"${name}":${random.chance(12) ? oddJson(random) : value()}`);
  };
  add(isBatch ? 90 : 10, 'type', () => `"${random.one(TYPES)}"`);
  add(isBatch ? 85 : 10, 'id', () => `"${idOf(random)}"`);
  add(50, 'edgeType', () => `"${random.one(EDGES)}"`);
  add(50, 'toId', () => `"${idOf(random)}"`);
  add(12, 'toIds', () => `["${idOf(random)}","${idOf(random)}"]`);
  add(12, 'to', () => `"${random.one(EDGES)}"`);
  add(30, 'json', () => sliceOf(random));
  add(
    20,
    random.one(['text', 'base64', 'data', 'contentType']),
    () => `"${random.one(['QUJD', 'a', '*', '\\"json\\":1'])}"`,
  );
  add(15, random.one(['limit', 'pos', 'after', 'before', 'time']), () => String(random.below(2_000)));
  add(8, random.one(['ifMatch', 'ifAbsent', 'ifNoneMatch', 'cursor', 'tenant']), () =>
    random.one(['"1"', 'true', '["1"]']),
  );
  return random.chance(4) ? oddJson(random) : `{${members.join(random.one([',', ' , ', ',\n']))}}`;
}

/** One that a gateway carries out, whatever its content looks like. */
function rightOperation(random: Random, isBatch: boolean): string {
  const at = isBatch ? `"type":"Conversation","id":"${idOf(random)}",` : '';
  const edge = `${at}"edgeType":"${random.one(['messages', 'pins'])}"`;
  const writes = [
    `{"op":"object.put",${at}"json":${sliceOf(random)}}`,
    `{"op":"edge.put",${edge},"toId":"${idOf(random)}"}`,
    `{"op":"edge.delete",${edge},"toId":"${idOf(random)}"}`,
  ];
  const reads = [`{"op":"object.get",${at.slice(0, -1)}}`, `{"op":"edge.list",${edge},"limit":3}`];
  return random.one(isBatch ? [...writes, ...reads] : writes);
}

/** Content in a list of operations, made to confuse whoever looks for its ends. */
function sliceOf(random: Random): string {
  return random.one([
    '{"json":{"json":[{"json":1}]}}',
    '"],\\"operations\\":[{"',
    '[{"op":"object.get"},{"operations":[{"json":2}]}]',
    ' \n{ "a" : 1 , "a" : 2 }',
    '"\\\\"',
    '1e400',
    '-0',
    '9007199254740993',
    '"\\u0022json\\u0022:"',
    'null',
  ]);
}
