import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { generateTypes, isSameModule } from '#server/cli/types/generate-types.ts';
import { exampleItems, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const EXAMPLE = join(ROOT, 'docs/example-app');
const folder = mkdtempSync(join(tmpdir(), 'habitat-package-'));
const app = join(folder, 'app');
const installed = join(app, 'node_modules/habitat-client');
/** Any Node that the package says it runs on, to try the example with; the repository's own unless told. */
const NODE = process.env.HABITAT_CLIENT_NODE ?? process.execPath;
const key = makeKey('chat-api');
let stack: Stack;

interface Written {
  readonly kind: string;
  readonly name: string;
  readonly document: Record<string, unknown>;
}

const definitions: readonly Written[] = readdirSync(join(EXAMPLE, 'definitions')).flatMap((name) =>
  parseAllDocuments(readFileSync(join(EXAMPLE, 'definitions', name), 'utf8')).map((one) => one.toJS() as Written),
);

/** The application in a folder of its own, with the package as npm would unpack it, and undici. */
beforeAll(async () => {
  const packed = join(folder, 'habitat-client');
  execFileSync(process.execPath, ['gateway/client/pack.ts', packed], { cwd: ROOT });
  cpSync(EXAMPLE, app, { recursive: true, filter: (path) => !path.includes('node_modules') });
  mkdirSync(installed, { recursive: true });
  const offline = { npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  const npm = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    ...{ cwd: packed, encoding: 'utf8', env: { ...process.env, ...offline } },
  });
  const [{ filename }] = JSON.parse(npm) as [{ filename: string }];
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
  cpSync(join(ROOT, 'node_modules/undici'), join(app, 'node_modules/undici'), { recursive: true });
  const items = exampleItems(key);
  const named = (kind: string) =>
    definitions.filter((one) => one.kind === kind).map(({ name, document }) => ({ name, ...document }));
  items.objectType.push(...named('objectType'));
  const edges: Record<string, unknown>[] = named('edgeType');
  for (const edge of edges) {
    // As the console compiles them: an inverse knows what it is derived from.
    const inverse = edges.find(({ name }) => name === edge.inverse);
    if (inverse !== undefined) inverse.derivedFrom = edge.name;
  }
  items.edgeType.push(...edges);
  stack = await startStack(items);
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const env = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  HABITAT_URLS: stack.gateway.url,
  HABITAT_KEY: key.token,
  // A test that is not about deadlines meets none on a slow machine.
  HABITAT_DEADLINE_MS: '60000',
});

test('the package is its own folder, undici and Node, and says which Node', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const undici = JSON.parse(readFileSync(join(ROOT, 'node_modules/undici/package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: 'habitat-client', type: 'module', dependencies: { undici: undici.version } });
  expect(Number.parseFloat(manifest.engines.node.slice(2))).toBeGreaterThanOrEqual(
    Number.parseFloat(undici.engines.node.slice(2)),
  );
  const scripts = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|ts)$/.test(name),
  );
  expect(scripts.length).toBeGreaterThan(50);
  for (const script of scripts) {
    const content = readFileSync(join(installed, script), 'utf8');
    for (const [, from = ''] of content.matchAll(/^(?:import|export)[^;]*? from '([^']+)'/gm)) {
      expect(from, script).toMatch(/^(undici|node:[a-z/_]+|\.{1,2}\/[\w/.-]+\.js)$/);
    }
  }
});

test("the example's types are those of its definitions", () => {
  const { text: made, leftOut } = generateTypes({ definitions, madeFrom: '' });
  expect(leftOut).toEqual([]);
  expect(isSameModule(readFileSync(join(EXAMPLE, 'habitat.ts'), 'utf8'), made)).toBe(true);
});

test('the example compiles against the package as it is installed', () => {
  const files = ['board.ts', 'demo.ts', 'server.ts'].map((name) => join(app, name));
  const program = ts.createProgram(files, {
    ...{ strict: true, noEmit: true, verbatimModuleSyntax: true, erasableSyntaxOnly: true, skipLibCheck: false },
    ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, allowImportingTsExtensions: true },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    ...{ target: ts.ScriptTarget.ES2024, lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'] },
    ...{ typeRoots: [join(ROOT, 'node_modules/@types')], types: ['node'] },
  });
  const errors = ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  expect(errors).toEqual([]);
});

test('a feed of a hundred notes is four requests, as its bill says, and the plan foresaw its calls', async () => {
  const child = spawn(NODE, ['demo.ts'], { cwd: app, env: env() });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  // Older Nodes say that running TypeScript is an experiment.
  expect(err.replaceAll(/^\(.*(?:ExperimentalWarning: Type Stripping|node --trace-warnings).*$\n?/gm, '')).toBe('');
  expect(out).toMatch(/^100 notes, the newest: \w+ by member-\d+$/m);
  expect(out).toMatch(/^object\.get Note +100 +in batches$/m);
  expect(out).toMatch(/^4 requests \(\d+ attempts? repeated\) · 4 rounds · 21 pages/m);
  expect(out).toMatch(/^edge\.list notes +20 +\d+\.\d\nobject\.get Note +100 /m);
});

test('a form that is sent twice is one note, and a refusal names its request', async () => {
  const child = spawn(NODE, ['server.ts'], { cwd: app, env: { ...env(), PORT: '0' } });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  const gone = new Promise((done) => child.once('exit', done));
  const url = await eventually('the board listens', () => /on (http:\S+)/.exec(said)?.[1]);
  const send = () =>
    fetch(`${url}/ana/notes`, { method: 'POST', body: new URLSearchParams({ text: 'Hello <world>', form: 'form-1' }) });
  const pageWithNote = async () => {
    const page = await (await send()).text();
    return page.includes('Hello') ? page : null;
  };
  await eventually('the note is there', pageWithNote);
  const page = await eventually('it is there when the form is sent again', pageWithNote);
  expect(page.match(/Hello &lt;world> <em>ana<\/em>/g)).toHaveLength(1);
  child.kill('SIGTERM');
  await gone;
  const stranger = spawn(NODE, ['server.ts'], {
    cwd: app,
    env: { ...env(), PORT: '0', HABITAT_KEY: 'hk_no' },
  });
  let other = '';
  stranger.stdout.on('data', (chunk) => (other += chunk));
  const at = await eventually('the board listens', () => /on (http:\S+)/.exec(other)?.[1]);
  const refused = await fetch(`${at}/ana`);
  expect(await refused.text()).toMatch(/^Sorry: unauthenticated\. Request [0-9A-Z]{26}\.$/);
  stranger.kill('SIGKILL');
});
