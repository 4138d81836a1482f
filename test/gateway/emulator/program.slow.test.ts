import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { EMULATOR_KEY } from '#gateway/emulator/http/authenticate.ts';
import { type Program, runProgram, runProgramWith } from './run-program.ts';
import { clientOf, newFolder } from './with-emulator.ts';

const folders: string[] = [];
const folder = (): string => {
  const dir = newFolder();
  folders.push(dir);
  return dir;
};
afterAll(() => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
});

async function failed(program: Program): Promise<{ code: number | null; stderr: string }> {
  const code = await program.exited;
  return { code, stderr: program.stderr() };
}

it('says where it listens, stops on SIGTERM and finds its data again', async () => {
  const dir = folder();
  const first = runProgram(dir);
  const url = await first.ready;
  const client = clientOf(url, EMULATOR_KEY);
  const { database } = await client.databases.create({ id: 'd' });
  const { container } = await database.containers.create({ id: 'c', partitionKey: { paths: ['/pk'] } });
  const { etag } = await container.items.create({ id: 'x', pk: 'p', v: 1 });
  first.child.kill('SIGTERM');
  expect(await first.exited).toBe(0);
  const second = runProgram(dir);
  const again = clientOf(await second.ready, EMULATOR_KEY)
    .database('d')
    .container('c');
  expect((await again.item('x', 'p').read()).etag).toBe(etag);
  expect((await again.items.create({ id: 'y', pk: 'p' })).etag).not.toBe(etag);
  second.child.kill('SIGTERM');
  expect(await second.exited).toBe(0);
});

it('a taken port, a folder in use and a folder that is none are told in one sentence', async () => {
  const dir = folder();
  const first = runProgram(dir);
  const port = new URL(await first.ready).port;
  expect(await failed(runProgram(folder(), port))).toEqual({ code: 1, stderr: `Port ${port} is taken.\n` });
  expect(await failed(runProgram(dir))).toEqual({ code: 1, stderr: `Another Cosmos endpoint already uses ${dir}.\n` });
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  const { code, stderr } = await failed(runProgram(file));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The folder .* cannot be written: .*\.\n$/);
  expect(await failed(runProgram(folder(), '70000'))).toEqual({
    code: 1,
    stderr: '70000 is not a port: use 0 to 65535.\n',
  });
  first.child.kill('SIGTERM');
  await first.exited;
});

it('several regions and the admin port say where they listen, and keep the data of one region', async () => {
  const dir = folder();
  const one = runProgram(dir);
  const client = clientOf(await one.ready, EMULATOR_KEY);
  await client.databases.create({ id: 'kept' });
  client.dispose();
  one.child.kill('SIGTERM');
  await one.exited;
  const two = runProgramWith(['--regions', 'East=0,West=0', '--admin-port', '0', '--dir', dir]);
  await two.ready;
  const lines =
    /^cosmos endpoint of habitat-local in East on (http:\S+)\ncosmos endpoint of habitat-local in West on (http:\S+)\ncosmos admin on (http:\S+), its token in (\S+)\n$/;
  const [, east = '', west = '', admin = '', tokenFile = ''] = lines.exec(two.stdout()) ?? [];
  for (const url of [east, west]) {
    const reader = clientOf(url, EMULATOR_KEY, { enableEndpointDiscovery: false });
    expect((await reader.database('kept').read()).statusCode).toBe(200);
    reader.dispose();
  }
  const authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
  expect((await fetch(`${admin}/state`, { headers: { authorization } })).status).toBe(200);
  two.child.kill('SIGTERM');
  expect(await two.exited).toBe(0);
});
