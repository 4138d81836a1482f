import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { workplace } from './habitat.ts';

const place = workplace();
const objectType = (name: string, description = 'Stores it.') =>
  `kind: objectType\nname: ${name}\ndocument:\n  ownerTeam: chat\n  description: ${JSON.stringify(description)}\n  classification: internal\n  maxBytes: 1000\n  audit: { reads: none, writes: none }\n`;
const edgeType = (name: string, from: string, to: string) =>
  `kind: edgeType\nname: ${name}\ndocument:\n  ownerTeam: chat\n  description: Connects them.\n  from: ${from}\n  to: ${to}\n  cardinality: many\n  listCap: 100\n  maxEdges: 1000\n  dataMaxBytes: 16\n  audit: { reads: none, writes: none }\n`;
place.write('definitions/channel.yaml', objectType('Channel', 'Ends a comment */ and\n begins `code` $& $1.'));
place.write('definitions/message.yaml', objectType('Message'));
place.write('definitions/user.yaml', objectType('User'));
place.write('definitions/messages.yaml', edgeType('messages', 'Channel', 'Message'));
place.write('definitions/author.yaml', edgeType('author', 'Message', 'User'));
place.write('definitions/dangling.yaml', edgeType('dangling', 'Message', 'Nowhere'));
const made = await place.habitat('types src/habitat.ts --from definitions');

const BEGIN = `import { createClient, type EdgeTypeFrom, type Id, idOf, LIMITS, type TargetOf } from './habitat.ts';
const client = createClient({ url: 'http://127.0.0.1:1', tenant: 'chat', key: 'k' });
const channel = idOf('Channel', 'c1');
const message = idOf('Message', 'm1');
const user = idOf('User', 'u1');
export async function use(): Promise<unknown> {
`;

/** What the compiler says about these lines in a module that uses the generated one. */
function errorsOf(lines: string): readonly string[] {
  const uses = place.write(
    'src/uses.ts',
    `${BEGIN}${lines}\n  return [client, channel, message, user, LIMITS];\n}\nexport type All = [EdgeTypeFrom<'Message'>, Id<'User'>, TargetOf<'author'>];\n`,
  );
  const program = ts.createProgram([uses, join(place.folder, 'src/habitat.ts')], {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('the typed client', () => {
  it('is made of complete types alone, and says which it left out', () => {
    expect(made).toMatchObject({ exit: 0, err: '' });
    expect(made.out).toContain('left out edgeType/dangling');
    expect(made.out).toContain('3 object types, 2 edge types');
  });

  it('compiles where it is used as the registry says', () => {
    expect(
      errorsOf(`
  await client.put('Message', message, '{}', { ifAbsent: true });
  const found = await client.get('Channel', channel);
  await client.putEdge(['Channel', channel], 'messages', message, { time: 1, data: 'x' });
  const { edges } = await client.listEdges(['Channel', channel], 'messages', { limit: LIMITS.edges.messages.listCap });
  for (const { toId } of edges) await client.putEdge(['Message', toId], 'author', user);
  await client.getEdge(['Message', message], 'author', user);
  await client.countEdges(['Message', message], 'author');
  await client.deleteEdge(['Message', message], 'author', user);
  await client.delete('Message', message);
  if (found !== null) found.content.byteLength;`),
    ).toEqual([]);
  });

  it.each([
    ['a type that is not there', `await client.get('Mesage', message);`],
    ['an id of another type', `await client.get('Message', channel);`],
    ['the id of another type in a put', `await client.put('Message', user, '');`],
    ['a plain text for an id', `await client.get('Message', 'm1');`],
    ['an edge type that is not there', `await client.listEdges(['Channel', channel], 'mesages');`],
    ['an edge type that starts elsewhere', `await client.listEdges(['Message', message], 'messages');`],
    ['an end that the edge type does not lead to', `await client.putEdge(['Channel', channel], 'messages', user);`],
    ['an id of another type at the start', `await client.countEdges(['Channel', message], 'messages');`],
    ['the limit of a type that is not there', `void LIMITS.objects.Nothing;`],
  ])('does not compile with %s', (_what, line) => {
    expect(errorsOf(line).length).toBeGreaterThan(0);
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
