import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSettings } from '#gateway/emulator/settings.ts';
import { tempFolder } from '#test/support/temp-folder.ts';

it('one port is one account with one region, from the command line or the environment', () => {
  expect(readSettings({ dir: 'd', port: '8081' }, {}).options).toEqual({ dir: 'd', port: 8081 });
  expect(readSettings({ dir: 'd' }, { COSMOS_PORT: '8082' }).options).toEqual({ dir: 'd', port: 8082 });
  expect(readSettings({}, { HABITAT_HOME: '/home' }).options).toEqual({ dir: '/home/cosmos', port: 0 });
});

it('several regions are named with their ports, the writing one first', () => {
  const { options } = readSettings({ dir: 'd', regions: 'East US=8081,West=0' }, { COSMOS_PORT: '1' });
  const regions = [
    { name: 'East US', port: 8081 },
    { name: 'West', port: 0 },
  ];
  expect(options).toEqual({ dir: 'd', accounts: [{ name: 'habitat-local', regions }] });
});

it('several accounts come from a file', async () => {
  const dir = await tempFolder();
  const file = join(dir, 'accounts.json');
  const accounts = [
    { name: 'one', consistency: 'Session', regions: [{ name: 'East', port: 0 }] },
    { name: 'two', key: 'a2V5', partitionRuPerSecond: null, regions: [{ name: 'West', port: 0 }] },
  ];
  writeFileSync(file, JSON.stringify({ accounts }));
  expect(readSettings({ dir, config: file }, {}).options).toEqual({ dir, accounts });
  const problemOf = (text: string): string => {
    writeFileSync(file, text);
    try {
      readSettings({ dir, config: file }, {});
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('it was accepted');
  };
  expect(problemOf('{')).toMatch(/accounts\.json cannot be read as JSON: /);
  expect(problemOf('{"accounts":[]}')).toMatch(/accounts\.json is not a configuration: /);
  expect(problemOf('{"accounts":[{"name":"one","regions":[],"colour":"red"}]}')).toContain('colour');
  expect(problemOf('{"accounts":[{"name":"one","consistency":"Perfect","regions":[]}]}')).toContain('consistency');
});

it('what cannot be meant is told in one sentence', () => {
  expect(() => readSettings({ port: '1', regions: 'East=2' }, {})).toThrow(
    'Use one of --port, --regions and --config.',
  );
  expect(() => readSettings({ regions: 'East' }, {})).toThrow(
    'East is not a region: write its name and port as East=8081.',
  );
  expect(() => readSettings({ regions: 'East=x' }, {})).toThrow('x is not a port: use 0 to 65535.');
  expect(() => readSettings({ port: '' }, {})).toThrow(' is not a port');
  expect(() => readSettings({ 'admin-port': '-1', dir: 'd' }, {})).toThrow('-1 is not a port');
});

it('the admin token is made once, for its owner alone, or taken from the file that is named', async () => {
  const dir = await tempFolder();
  const made = readSettings({ dir, 'admin-port': '0' }, {});
  expect(made.tokenFile).toBe(join(dir, 'admin-token'));
  expect(statSync(join(dir, 'admin-token')).mode & 0o777).toBe(0o600);
  expect(made.options.adminToken).toHaveLength(43);
  expect(readFileSync(join(dir, 'admin-token'), 'utf8')).toBe(`${made.options.adminToken}\n`);
  expect(readSettings({ dir, 'admin-port': '0' }, {}).options.adminToken).toBe(made.options.adminToken);
  const file = join(dir, 'deeper', 'token');
  const named = readSettings({ dir, 'admin-port': '0' }, { COSMOS_ADMIN_TOKEN_FILE: file });
  expect(named.tokenFile).toBe(file);
  expect(readFileSync(file, 'utf8')).toBe(`${named.options.adminToken}\n`);
  writeFileSync(file, 'short');
  expect(() => readSettings({ dir, 'admin-port': '0' }, { COSMOS_ADMIN_TOKEN_FILE: file })).toThrow(
    'holds no admin token',
  );
});
