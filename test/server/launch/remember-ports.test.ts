import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rememberPorts } from '#server/launch/remember-ports.ts';
import { tempFolder } from '#test/support/temp-folder.ts';

const NAMES = ['west', 'admin'] as const;
const fileOf = async () => join(await tempFolder(), 'ports.json');

test('ports are chosen once and kept from start to start', async () => {
  const file = await fileOf();
  const first = await rememberPorts(file, NAMES, []);
  expect(first.west).not.toBe(first.admin);
  expect(await rememberPorts(file, NAMES, [])).toEqual(first);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(first);
});

test('a port that somebody else holds now is replaced, the others stay', async () => {
  const file = await fileOf();
  const first = await rememberPorts(file, NAMES, []);
  const holder = createServer();
  await new Promise<void>((done) => holder.listen(first.west, '127.0.0.1', done));
  try {
    const second = await rememberPorts(file, NAMES, []);
    expect(second.west).not.toBe(first.west);
    expect(second.admin).toBe(first.admin);
    expect(await rememberPorts(file, NAMES, [])).toEqual(second);
  } finally {
    await new Promise((done) => holder.close(done));
  }
});

test('a port that another part of the launcher was given is not used twice', async () => {
  const file = await fileOf();
  const first = await rememberPorts(file, NAMES, []);
  const second = await rememberPorts(file, NAMES, [first.west]);
  expect(second.west).not.toBe(first.west);
  expect(second.admin).toBe(first.admin);
});

test('a file that was cut off is a first start, and a home of an older start remembers nothing', async () => {
  const file = await fileOf();
  writeFileSync(file, '{"west": 80');
  const chosen = await rememberPorts(file, NAMES, []);
  expect(Object.keys(chosen)).toEqual([...NAMES]);
});
