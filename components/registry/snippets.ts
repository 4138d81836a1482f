import { HEADERS_IN, HEADERS_OUT } from '#gateway/contract/data-api.ts';

/** What a snippet calls: a type of a tenant, through one gateway. */
export type SnippetTarget = {
  readonly gatewayUrl: string;
  readonly tenant: string;
} & (
  | { readonly kind: 'objectType'; readonly type: string; readonly id: string }
  | {
      readonly kind: 'edgeType';
      readonly type: string;
      readonly from: string;
      readonly id: string;
      readonly toId: string;
    }
);

/** One operation of the data API as a snippet shows it. */
export interface SnippetOperation {
  readonly id: string;
  readonly words: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly url: string;
  readonly body: string | undefined;
  readonly contentType: string | undefined;
}

/** The operations of a type, the one to start with first. Every path segment is URL-safe whatever the ids are. */
export function operationsOf(target: SnippetTarget): readonly [SnippetOperation, ...SnippetOperation[]] {
  return target.kind === 'objectType' ? objectOperations(target) : edgeOperations(target);
}

/** A curl command for a POSIX shell; the key comes from the environment and never stands in the text. */
export function curlOf(operation: SnippetOperation): string {
  const lines = [
    `curl -i -X ${operation.method}`,
    shellQuoted(operation.url),
    '-H "Authorization: Bearer $HABITAT_KEY"',
  ];
  if (operation.contentType !== undefined) lines.push(`-H 'Content-Type: ${operation.contentType}'`);
  if (operation.body !== undefined) lines.push(`--data-binary ${shellQuoted(operation.body)}`);
  return lines.join(' \\\n  ');
}

/** The same call in TypeScript with the platform's own fetch: Node 18 or newer, no package. */
export function typescriptOf(operation: SnippetOperation): string {
  const headers = [`    ${HEADERS_IN.authorization}: \`Bearer \${process.env['HABITAT_KEY']}\`,`];
  if (operation.contentType !== undefined) headers.push(`    'content-type': ${quoted(operation.contentType)},`);
  return [
    `const reply = await fetch(${quoted(operation.url)}, {`,
    `  method: ${quoted(operation.method)},`,
    '  headers: {',
    ...headers,
    '  },',
    ...(operation.body === undefined ? [] : [`  body: ${quoted(operation.body)},`]),
    '});',
    `console.log(reply.status, reply.headers.get(${quoted(HEADERS_OUT.release)}), reply.headers.get(${quoted(HEADERS_OUT.ru)}));`,
    'console.log(await reply.text());',
  ].join('\n');
}

/** The line that puts the key into the environment. Outside the embedded default the reader fills in a key of their own. */
export function exportLine(demoKeyCommand: string | undefined): string {
  return demoKeyCommand === undefined ? "export HABITAT_KEY='hk_…'" : `export HABITAT_KEY=$(${demoKeyCommand})`;
}

/** Edges stand in the same list: `{"op":"edge.put","edgeType":…,"toId":…}`. */
const COMMIT = {
  body: JSON.stringify({ operations: [{ op: 'object.put', json: { hello: 'world' } }] }),
  contentType: 'application/json',
} as const;

function objectOperations(
  target: SnippetTarget & { kind: 'objectType' },
): readonly [SnippetOperation, ...SnippetOperation[]] {
  const url = objectUrl(target, target.type);
  const content = { body: JSON.stringify({ hello: 'world' }), contentType: 'application/json' };
  return [
    { id: 'object.put', words: 'Write an object', method: 'PUT', url, ...content },
    { id: 'object.get', words: 'Read it', method: 'GET', url, ...NO_BODY },
    { id: 'commit', words: 'Write it with its edges, all or none', method: 'POST', url: `${url}:commit`, ...COMMIT },
    { id: 'object.delete', words: 'Delete it', method: 'DELETE', url, ...NO_BODY },
  ];
}

function edgeOperations(
  target: SnippetTarget & { kind: 'edgeType' },
): readonly [SnippetOperation, ...SnippetOperation[]] {
  const all = `${objectUrl(target, target.from)}/edges/${encodeURIComponent(target.type)}`;
  const one = `${all}/${encodeURIComponent(target.toId)}`;
  return [
    { id: 'edge.put', words: 'Add an edge', method: 'PUT', url: one, body: '{}', contentType: 'application/json' },
    { id: 'edge.list', words: 'List edges, newest first', method: 'GET', url: `${all}?limit=50`, ...NO_BODY },
    { id: 'edge.count', words: 'Count edges', method: 'GET', url: `${all}:count`, ...NO_BODY },
    { id: 'edge.get', words: 'Read one edge', method: 'GET', url: one, ...NO_BODY },
    { id: 'edge.delete', words: 'Delete the edge', method: 'DELETE', url: one, ...NO_BODY },
  ];
}

const NO_BODY = { body: undefined, contentType: undefined } as const;

function objectUrl(target: SnippetTarget, objectType: string): string {
  const path = [target.tenant, 'objects', objectType, target.id].map(encodeURIComponent).join('/');
  return `${target.gatewayUrl.replace(/\/$/, '')}/v1/${path}`;
}

/** Inside single quotes a POSIX shell changes nothing; a quote itself has to step outside. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A single-quoted string literal. */
export function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
