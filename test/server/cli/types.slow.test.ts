import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { workplace } from './habitat.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const place = workplace();
const objectType = (name: string, description = 'Stores it.', more = '') =>
  `kind: objectType\nname: ${name}\ndocument:\n  ownerTeam: chat\n  description: ${JSON.stringify(description)}\n  classification: internal\n  maxBytes: 1000\n  audit: { reads: none, writes: none }\n${more}`;
const edgeType = (name: string, from: string, to: string) =>
  `kind: edgeType\nname: ${name}\ndocument:\n  ownerTeam: chat\n  description: Connects them.\n  from: ${from}\n  to: ${to}\n  cardinality: many\n  listCap: 100\n  maxEdges: 1000\n  dataMaxBytes: 16\n  audit: { reads: none, writes: none }\n`;
place.write('definitions/channel.yaml', objectType('Channel', 'Ends a comment */ and\n begins `code` $& $1.'));
place.write('definitions/message.yaml', objectType('Message'));
const userSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Shown */ to others' },
    'e-mail': { type: ['string', 'null'], maxLength: 100 },
    role: { enum: ['admin', 'member', null] },
    tags: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    address: { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: true },
    scores: { type: 'object', additionalProperties: { type: 'number' } },
    nothing: { type: 'object', additionalProperties: false },
    whatever: {},
  },
  required: ['name', 'undescribed'],
};
const contentSchema = `  contentSchema:\n    mode: enforce\n    schema: ${JSON.stringify(JSON.stringify(userSchema))}\n`;
place.write('definitions/user.yaml', objectType('User', 'A person.', contentSchema));
place.write('definitions/plain.yaml', objectType('Plain', 'Unused.', contentSchema.replace('enforce', 'off')));
place.write('definitions/messages.yaml', edgeType('messages', 'Channel', 'Message'));
place.write('definitions/author.yaml', edgeType('author', 'Message', 'User'));
place.write('definitions/pins.yaml', edgeType('pins', 'Channel', 'Message'));
place.write('definitions/dangling.yaml', edgeType('dangling', 'Message', 'Nowhere'));
const made = await place.habitat('types src/habitat.ts --from definitions');

const BEGIN = `import { createClient, type Ref } from 'habitat-client';
import { habitat, type UserContent } from './habitat.ts';
const client = createClient({ types: habitat, endpoints: ['http://127.0.0.1:1'], tenant: 'chat', key: 'k' });
const channel = client.ref('Channel', 'c1');
const message = client.ref('Message', 'm1');
const user: Ref<'User'> = { type: 'User', id: 'u1' };
const ana: UserContent = { name: 'Ana', undescribed: 1 };
const messages = { from: channel, type: 'messages' } as const;
export async function use(): Promise<unknown> {
`;

const FITS = `
  await client.objects.put(message, { json: {} }, { ifAbsent: true });
  const found = await client.objects.get(channel);
  await client.edges.put({ ...messages, to: message }, { time: 1, data: 'x' });
  const { edges } = await client.edges.list(messages, { limit: habitat.edges.messages.listCap });
  for (const { to } of edges) await client.edges.put({ from: to, type: 'author', to: user });
  for await (const { to } of client.edges.iterate(messages, { atMost: 10 })) await client.objects.get(to);
  await client.edges.getMany(messages, [message]);
  await client.edges.count({ from: message, type: 'author' });
  await client.edges.changeType({ ...messages, to: message }, 'pins');
  await client.objects.delete(message);
  await client.objects.put(user, { json: ana });
  const name: string | undefined = (await client.objects.get(user))?.json().name;
  const { objects, edges: edgeOperations } = client.operations;
  const [read, count] = await client.batch([objects.get(user), edgeOperations.count(messages)]);
  if (read.ok && count.ok) void [read.value?.json().name.length, count.value.toFixed()];
  const committed = await client.commit(channel, (part) => [
    part.put({ text: '' }, { ifAbsent: true }),
    part.putEdge({ type: 'messages', to: message }),
  ]);
  if (committed.conflict === null) void [committed.results[0].ref.id, committed.results[1].to.id];
  const written = await client.objects.put(message, { text: '' }, { ifMatch: '1' });
  if (written.conflict === null) void written.version;
  client.plan([{ list: 'messages', fanOut: 10 }, { read: 'Message' }, { list: 'author', fanOut: 1 }]);
  void name;
  if (found !== null) found.bytes.byteLength;`;
const CONTENT = `
  const content: UserContent = {
    ...{ name: 'Ana', undescribed: {}, 'e-mail': null, role: 'admin', tags: ['x', 1], whatever: [] },
    ...{ address: { city: 'Riga', street: 7 }, scores: { a: 1 }, nothing: {} },
  };
  const city: string | undefined = content.address?.city;
  const anything: unknown = (await client.objects.get(message))?.json();
  void [city, anything];`;
const MISUSES = [
  ['a type that is not there', `await client.objects.get(client.ref('Mesage', 'm1'));`],
  ['another type of object in a batch', `client.operations.objects.put(message, 'text');`],
  ['a plain text for an object', `await client.objects.get('m1');`],
  ['an edge type that is not there', `await client.edges.list({ from: channel, type: 'mesages' });`],
  ['an edge type that starts elsewhere', `await client.edges.list({ from: message, type: 'messages' });`],
  ['an end that the edge type does not lead to', `await client.edges.put({ ...messages, to: user });`],
  ['a target of another type among many', `await client.edges.getMany(messages, [user]);`],
  [
    'a change to an edge type with other ends',
    `await client.edges.changeType({ ...messages, to: message }, 'author');`,
  ],
  ['a walk without a bound', `client.edges.iterate(messages, { pageSize: 10 });`],
  ['content that does not fit its schema', `await client.objects.put(user, { json: { name: 7 } });`],
  ['content that lacks what is required', `await client.objects.put(user, { json: { name: 'Ana' } });`],
  ['a name that the schema does not have', `await client.objects.put(user, { json: { ...ana, nmae: 'x' } });`],
  ['text where JSON is wanted', `await client.objects.put(user, { text: '{}' });`],
  [
    'a version without a look at the conflict',
    `(await client.objects.put(message, { text: '' }, { ifMatch: '1' })).version;`,
  ],
  ['an object without a look whether there is one', `(await client.objects.get(message)).version;`],
  [
    'an edge that starts at another object in a commit',
    `await client.commit(channel, (part) => [part.putEdge({ type: 'author', to: user })]);`,
  ],
  ['an edge type in a plan that is not there', `client.plan([{ list: 'mesages', fanOut: 1 }]);`],
  ['the limit of a type that is not there', `void habitat.objects.Nothing;`],
] as const;

/** What the compiler says about each of these pieces, in one module that uses the generated one. */
function errorsIn(pieces: readonly string[]): readonly (readonly string[])[] {
  const starts: number[] = [];
  let text = BEGIN;
  for (const piece of pieces) {
    starts.push(text.length);
    text += `  {\n${piece}\n  }\n`;
  }
  const uses = place.write('src/uses.ts', `${text}  return [client, channel, message, user, ana, messages];\n}\n`);
  const program = ts.createProgram([uses, join(place.folder, 'src/habitat.ts')], {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    paths: { 'habitat-client': [join(ROOT, 'gateway/client/client.ts')] },
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node'],
  });
  const errors: string[][] = pieces.map(() => []);
  for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    const says = ts.flattenDiagnosticMessageText(messageText, ' ');
    const at = file?.fileName === uses ? starts.findLastIndex((from) => from <= start) : -1;
    if (at === -1) throw new Error(`Outside the pieces: ${file?.fileName ?? ''}: ${says}`);
    errors[at]?.push(says);
  }
  return errors;
}

const [fits, content, ...misuses] = errorsIn([FITS, CONTENT, ...MISUSES.map(([, line]) => line)]);

describe('the client with the types of the registry', () => {
  it('is made of complete types alone, and says which it left out', () => {
    expect(made).toMatchObject({ exit: 0, err: '' });
    expect(made.out).toContain('left out edgeType/dangling');
    expect(made.out).toContain('4 object types, 3 edge types');
  });

  it('compiles where it is used as the registry says', () => {
    expect(fits).toEqual([]);
  });

  it("content is typed by its type's schema, and not at all where there is none", () => {
    expect(content).toEqual([]);
  });

  it.each(MISUSES.map(([what], index) => [what, index] as const))('does not compile with %s', (_what, index) => {
    expect(misuses[index]?.length).toBeGreaterThan(0);
  });
});

it('an up-to-date file is left alone, one that is not is told by exit 1, and making it anew helps', async () => {
  const file = join(place.folder, 'src/habitat.ts');
  const before = readFileSync(file, 'utf8');
  expect(await place.habitat('types src/habitat.ts --from definitions --check')).toMatchObject({ exit: 0 });
  place.write('definitions/reaction.yaml', objectType('Reaction'));
  expect((await place.habitat('types src/habitat.ts --from definitions --check --json')).json).toMatchObject({
    exit: 1,
    upToDate: false,
  });
  expect(readFileSync(file, 'utf8')).toBe(before);
  await place.habitat('types src/habitat.ts --from definitions');
  expect(readFileSync(file, 'utf8')).toContain('readonly Reaction:');
});
