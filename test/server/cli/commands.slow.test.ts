import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { changeActs } from '#test/server/changes/acts.ts';
import { testConsole } from '#test/server/console.ts';
import { servedConsole, workplace } from './habitat.ts';

const console_ = await testConsole();
const acts = changeActs(console_);
const served = await servedConsole(console_);
const token = await served.token('ana', 'definitions:read', 'changes:write', 'changes:publish');
const reader = await served.token('ana', 'definitions:read');
const env = { HABITAT_URL: served.url, HABITAT_TOKEN: token };

const note = (name: string, description = 'Stores a note.') =>
  `kind: objectType\nname: ${name}\ndocument:\n  ownerTeam: chat\n  description: ${description}\n  classification: internal\n  maxBytes: 1000\n  audit: { reads: none, writes: none }\n`;
const exported = async (more: Record<string, string> = {}) => {
  const place = workplace({ ...env, ...more });
  await place.habitat('export');
  return place;
};
const numberOf = (json: Record<string, unknown>) => (json.change as { number: number }).number;

describe('login', () => {
  it('keeps address and token for their owner alone, and every command then uses them', async () => {
    const place = workplace();
    const ran = await place.habitat(['login', `${served.url}/`], `${token}\n`);
    expect(ran).toMatchObject({ exit: 0, err: '' });
    expect(ran.out).toContain('Ana Ruiz at');
    const file = join(place.folder, '.config/habitat/credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(place.folder, '.config/habitat')).mode & 0o777).toBe(0o700);
    expect((await place.habitat('whoami --json')).json).toMatchObject({
      exit: 0,
      id: 'ana',
      token: { name: 'of the test' },
    });
    chmodSync(file, 0o644);
    expect((await place.habitat('whoami')).err).toContain('can be read by others');
    chmodSync(file, 0o600);
    expect((await place.habitat('logout')).exit).toBe(0);
    expect(existsSync(file)).toBe(false);
    expect(await place.habitat('whoami')).toMatchObject({ exit: 2, err: expect.stringContaining('habitat login') });
  });

  it('takes no token that the console does not know, and keeps none', async () => {
    const place = workplace();
    const ran = await place.habitat(['login', served.url], `hbt_${'a'.repeat(50)}`);
    expect(ran).toMatchObject({ exit: 4, err: expect.stringContaining('no token of this console') });
    expect(existsSync(join(place.folder, '.config'))).toBe(false);
    expect(await place.habitat(['login', served.url], 'nonsense')).toMatchObject({ exit: 2 });
    expect(await place.habitat(['login', 'ftp://x'], token)).toMatchObject({ exit: 2 });
  });

  it('sends a kept token to its own console alone', async () => {
    const place = workplace();
    await place.habitat(['login', served.url], token);
    const other = await place.habitat('whoami --url http://127.0.0.1:1');
    expect(other).toMatchObject({ exit: 2, err: expect.stringContaining('There is no token for http://127.0.0.1:1') });
  });
});

describe('diff', () => {
  it('tells missing here from missing there from different by exit code and in JSON', async () => {
    const place = await exported();
    expect((await place.habitat('diff')).exit).toBe(0);
    place.write('definitions/objectType/New.yaml', note('New'));
    const only = async (way: string) => (await place.habitat(`diff --only ${way}`)).exit;
    expect([await only('missing-here'), await only('missing-there'), await only('different')]).toEqual([0, 1, 0]);
    const text = readFileSync(join(place.folder, 'definitions/objectType/Message.yaml'), 'utf8');
    place.write('definitions/objectType/Message.yaml', text.replace(/maxBytes: \d+/, 'maxBytes: 77'));
    place.write('definitions/tenant/chat.yaml', '# nothing left\n');
    const ran = await place.habitat('diff');
    expect(ran.exit).toBe(1);
    expect(ran.out).toContain('missing here: tenant/chat');
    expect(ran.out).toMatch(/^\+ {2}maxBytes: 77$/m);
    expect(ran.out).toMatch(/^--- r1 objectType\/Message$/m);
    const { json } = await place.habitat('diff --json --kind tenant,objectType');
    expect(json).toMatchObject({
      habitat: 1,
      command: 'diff',
      exit: 1,
      missingHere: ['tenant/chat'],
      missingThere: [{ definition: 'objectType/New', file: 'definitions/objectType/New.yaml' }],
      different: [{ definition: 'objectType/Message', revision: 1 }],
    });
    expect((await place.habitat('diff --kind objecttype')).err).toContain('Did you mean objectType?');
  });
});

describe('check', () => {
  it('names every finding of the console and of the files with its place, and creates nothing', async () => {
    const place = await exported();
    const before = await console_.db.change.count();
    place.write('definitions/objectType/Bad.yaml', note('Bad').replace('1000', '0'));
    place.write('definitions/objectType/Lost.yaml', note('Lost').replace('chat', 'nobody'));
    const ran = await place.habitat('check');
    expect(ran.exit).toBe(1);
    expect(ran.out).toMatch(
      /definitions\/objectType\/Bad\.yaml:7:3: error: objectType\/Bad: An object needs at least 1 byte\. \(field_invalid\)/,
    );
    expect(ran.out).toMatch(/Lost\.yaml:4:3: error: /);
    place.write('definitions/objectType/Lost.yaml', '# none\n');
    place.write('definitions/objectType/Bad.yaml', note('Bad').replace('maxBytes', 'maxbyte'));
    const { json } = await place.habitat('check --json');
    expect(json).toMatchObject({
      exit: 1,
      problems: [
        { code: 'field_unknown', line: 7, column: 3, message: expect.stringContaining('Did you mean maxBytes?') },
      ],
    });
    expect(await console_.db.change.count()).toBe(before);
  });

  it('needs no more than the right to read, and ends with 0 when nothing is wrong', async () => {
    const place = await exported({ HABITAT_TOKEN: reader });
    place.write('definitions/objectType/Good.yaml', note('Good'));
    const ran = await place.habitat('check');
    expect(ran).toMatchObject({ exit: 0, err: '' });
    expect(ran.out).toContain('Nothing to fix: 1 of');
  });
});

describe('apply', () => {
  it('opens one change, prints its address, and the same files again make no other', async () => {
    const place = await exported();
    place.write('definitions/objectType/Applied.yaml', note('Applied'));
    const first = await place.habitat([
      'apply',
      '--title',
      'Add Applied',
      '--reason',
      'For the test.',
      '--submit',
      '--json',
    ]);
    const number = numberOf(first.json);
    expect(first.json).toMatchObject({
      exit: 0,
      outcome: 'opened',
      source: 'git.example/chat',
      change: { url: `${served.url}/changes/${number}`, state: 'in review', edits: 1 },
    });
    await acts.review('bo', number);
    const again = await place.habitat('apply --submit --publish');
    expect(again).toMatchObject({ exit: 0, err: '' });
    expect(again.out).toContain(`As it was: ∆${number}`);
    expect(again.out).toMatch(/Published as r\d+\./);
    expect(await place.habitat('apply')).toMatchObject({ exit: 0, out: expect.stringContaining('Nothing to do') });
    expect((await place.habitat('diff')).exit).toBe(0);
  });

  it('with findings that block ends with 1 and makes no change', async () => {
    const place = await exported();
    place.write('definitions/objectType/Broken.yaml', note('Broken').replace('1000', '0'));
    const before = await console_.db.change.count();
    const ran = await place.habitat('apply --json');
    expect(ran.json).toMatchObject({ exit: 1, outcome: 'blocked', problems: [{ line: 7 }] });
    expect(await console_.db.change.count()).toBe(before);
  });

  it('ends with 3 over what was changed in the console, names it, and overwrites when told', async () => {
    const place = await exported();
    const document = (await console_.db.definition.findFirstOrThrow({ where: { name: 'Applied' } })).document as object;
    await acts.publish(
      'ana',
      await acts.approved([{ kind: 'objectType', name: 'Applied', document: { ...document, maxBytes: 5_000 } }]),
    );
    place.write('definitions/objectType/Applied.yaml', note('Applied', 'Said anew.'));
    const ran = await place.habitat('apply');
    expect(ran).toMatchObject({ exit: 3, err: expect.stringContaining('Ana Ruiz changed Applied in the console') });
    expect(ran.err).toContain('objectType/Applied: was changed by Ana Ruiz');
    const { json } = await place.habitat('apply --json');
    expect(json).toMatchObject({
      exit: 3,
      error: { code: 'conflict', fields: { 'objectType/Applied': expect.any(String) } },
    });
    const forced = await place.habitat('apply --overwrite --json');
    expect(forced.json).toMatchObject({ exit: 0, outcome: 'opened' });
    await place.habitat('export');
    await place.habitat('apply --overwrite');
  });

  it('removes what it kept and has no file for only when told to prune', async () => {
    const place = await exported();
    place.write('definitions/objectType/Applied.yaml', '# gone\n');
    const ran = await place.habitat('apply');
    expect(ran.out).toContain('objectType/Applied has no file any more');
    expect(ran.out).toContain('Nothing to do');
    const pruned = await place.habitat('apply --prune --json');
    const change = await acts.read('ana', numberOf(pruned.json));
    expect(change.edits.map(({ name, act }) => `${act} ${name}`)).toEqual(['remove Applied']);
    await place.habitat('apply --let-go');
    expect((await place.habitat('apply --prune')).out).toContain('Nothing to do');
  });

  it('without the scope, the role, a folder or a source says which is missing', async () => {
    const place = await exported({ HABITAT_TOKEN: reader });
    place.write('definitions/objectType/More.yaml', note('More'));
    expect(await place.habitat('apply')).toMatchObject({
      exit: 4,
      err: expect.stringContaining('lacks the scope changes:write'),
    });
    expect(await place.habitat('apply nowhere')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('There is no folder nowhere'),
    });
    delete place.env.HABITAT_SOURCE;
    expect(await place.habitat('apply')).toMatchObject({ exit: 2, err: expect.stringContaining('--source') });
    expect(await place.habitat('apply --prune --let-go')).toMatchObject({ exit: 2 });
  });
});

describe('the console', () => {
  const replies: { status: number; headers?: Record<string, string>; body: string }[] = [];
  let asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    const reply = replies.shift() ?? { status: 500, body: '' };
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body);
  });
  const me = JSON.stringify({ id: 'a', name: 'A', email: '', roles: [], teams: [], demoUsers: [] });
  afterAll(() => server.close());
  const whoami = async (...next: typeof replies) => {
    if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    replies.splice(0, replies.length, ...next);
    asked = [];
    return workplace({ ...env, HABITAT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }).habitat(
      'whoami',
    );
  };

  it('out of reach, of another kind, older or failing is told apart in a sentence and ends with 4', async () => {
    const gone = workplace({ ...env, HABITAT_URL: 'http://127.0.0.1:1' });
    expect(await gone.habitat('whoami')).toMatchObject({
      exit: 4,
      err: expect.stringContaining('cannot be reached ('),
    });
    const page = await whoami({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' });
    expect(page).toMatchObject({ exit: 4, err: expect.stringContaining('is no console of Habitat') });
    const old = await whoami({ status: 200, headers: { 'habitat-api': '0' }, body: me });
    expect(old).toMatchObject({ exit: 4, err: expect.stringContaining('speaks API 0, and this command needs 1') });
    const odd = await whoami({ status: 200, headers: { 'habitat-api': '1' }, body: '{"id":1}' });
    expect(odd).toMatchObject({ exit: 4, err: expect.stringContaining('does not know') });
    expect(await whoami({ status: 502, body: 'bad gateway' })).toMatchObject({ exit: 4 });
  });

  it('that leads elsewhere gets no token there', async () => {
    const ran = await whoami({ status: 302, headers: { location: 'https://login.example/?x' }, body: '' });
    expect(ran).toMatchObject({ exit: 4, err: expect.stringContaining('302 to https://login.example') });
    expect(asked).toHaveLength(1);
  });

  it('that asks to wait is asked again after that, and the newer API is spoken to', async () => {
    const wait = { error: { code: 'too_many_requests', message: 'Wait.', requestId: 'r', retryable: true } };
    const ran = await whoami(
      { status: 429, headers: { 'retry-after': '1' }, body: JSON.stringify(wait) },
      { status: 200, headers: { 'habitat-api': '2' }, body: me },
    );
    expect(ran).toMatchObject({ exit: 0, err: '' });
    expect(asked).toHaveLength(2);
  });

  it('never sees its token in what the command prints', async () => {
    const place = await exported();
    place.write('definitions/objectType/Leak.yaml', note('Leak'));
    const lines = [
      'whoami',
      'whoami --json',
      'diff',
      'diff --json',
      'check',
      'apply --json',
      'export --json',
      'nonsense',
    ];
    for (const line of lines) {
      const ran = await place.habitat(line);
      expect(ran.out + ran.err, line).not.toContain(token.slice(20));
    }
    await place.habitat('export');
    await place.habitat('apply');
  });
});

it('a mistake under --json is one object as well', async () => {
  const ran = await workplace(env).habitat('dif --json');
  expect(ran.json).toMatchObject({
    habitat: 1,
    exit: 2,
    error: { code: 'usage', message: expect.stringContaining('diff') },
  });
});
