import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewFault } from '#gateway/contract/local-cosmos.ts';
import { SwitchOnFault } from '#server/contract/cosmos.ts';
import type { Role } from '#server/contract/people.ts';
import { readCosmos } from '#server/cosmos/read-cosmos.ts';
import { moveWrites, setBudget } from '#server/cosmos/set-account.ts';
import { switchOffFault, switchOffFaults, switchOnFault } from '#server/cosmos/switch-faults.ts';
import { createDatabase } from '#server/db/client.ts';
import type { ConsoleEnv } from '#server/env.ts';
import { refusal } from '#test/server/console.ts';
import { openBareConsole } from '#test/support/bare-console.ts';
import { freshState, startCosmosAdmin } from '#test/support/cosmos-admin.ts';

const test = await openBareConsole();
const folder = await mkdtemp(join(tmpdir(), 'habitat-cosmos-'));
const admin = await startCosmosAdmin(folder);
const here: ConsoleEnv['localCosmos'] = { adminUrl: admin.url, adminTokenFile: admin.tokenFile };

afterAll(async () => {
  await admin.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  admin.state = freshState();
  admin.instead = undefined;
  await test.db.$executeRaw`TRUNCATE audit_event`;
});

function ctxOf(roles: readonly Role[] = ['operator'], localCosmos: typeof here | 'none' = here) {
  const ctx = test.ctxOf({ id: 'olga', name: 'Olga Ek', roles });
  return { ...ctx, env: { ...ctx.env, localCosmos: localCosmos === 'none' ? undefined : localCosmos } };
}
const batches = SwitchOnFault.parse({
  region: 'West',
  operations: ['batch'],
  percent: 20,
  effect: { kind: 'status', status: 503 },
});
const rows = () => test.db.auditEvent.findMany({ orderBy: { id: 'asc' } });
const switchOn = (fault: NewFault = batches) => switchOnFault(ctxOf(), fault);

describe('the state of the endpoint', () => {
  it('is shown to everyone who is signed in, and says who may act', async () => {
    expect(await readCosmos(ctxOf(['viewer']))).toEqual({ kind: 'here', state: freshState(), canAct: false });
    for (const role of ['operator', 'admin'] as const) {
      expect(await readCosmos(ctxOf([role]))).toMatchObject({ kind: 'here', canAct: true });
    }
  });

  it('is absent where an Azure account is configured', async () => {
    expect(await readCosmos(ctxOf(['operator'], 'none'))).toEqual({ kind: 'absent' });
  });

  it('is away with the reason when nothing listens, the line is cut, or the answer is none', async () => {
    const away = async () => {
      const view = await readCosmos(ctxOf());
      return view.kind === 'away' ? view.reason : view.kind;
    };
    const place = admin.url.replace('http://', '');
    admin.instead = 'cut';
    expect(await away()).toBe(`The local Cosmos endpoint does not answer at ${place}: the connection was cut.`);
    admin.instead = { status: 502, body: '<html>' };
    expect(await away()).toMatch(/: it answers 502\.$/);
    admin.instead = { status: 200, body: '{"accounts":1}' };
    expect(await away()).toMatch(/: it answers in a shape that this console does not know\.$/);
    const nobody = { adminUrl: `http://127.0.0.1:${await unusedPort()}`, adminTokenFile: admin.tokenFile };
    expect(await readCosmos(ctxOf(['operator'], nobody))).toMatchObject({
      kind: 'away',
      reason: expect.stringMatching(/: the connection is refused\.$/),
    });
  });

  it('is away when the token file is gone or holds another token, and back when it holds the right one', async () => {
    const tokenFile = join(folder, 'other-token');
    const view = () => readCosmos(ctxOf(['operator'], { adminUrl: admin.url, adminTokenFile: tokenFile }));
    expect(await view()).toMatchObject({ reason: expect.stringContaining('its token file cannot be read') });
    writeFileSync(tokenFile, 'wrong');
    expect(await view()).toMatchObject({ reason: expect.stringContaining("it refuses the console's token") });
    writeFileSync(tokenFile, 'token-of-the-admin-port\n');
    expect(await view()).toMatchObject({ kind: 'here' });
    rmSync(tokenFile);
  });
});

describe('switching a fault on', () => {
  it('is done by an operator, and the log says what it does', async () => {
    const fault = await switchOn();
    expect(fault).toMatchObject({ id: 'f1', met: 0, region: 'West', percent: 20 });
    expect(admin.state.faults).toEqual([fault]);
    expect(await rows()).toMatchObject([
      {
        actor: 'Olga Ek',
        actorKind: 'operator',
        did: 'switched on',
        what: 'a fault: Batches in West are answered 503, 20 % of them',
        href: '/gateways?tab=cosmos',
        outcome: 'done',
        after: { region: 'West', operations: ['batch'] },
      },
    ]);
  });

  it.each([['engineer'], ['security'], ['auditor'], ['viewer']] as const)('is refused to %s', async (role) => {
    expect((await refusal(switchOnFault(ctxOf([role]), batches))).code).toBe('not_permitted');
    expect(admin.state.faults).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  it('in a region or an account that is not there is invalid, beside its field', async () => {
    const wrong = await refusal(switchOn({ ...batches, region: 'North' }));
    expect([wrong.code, wrong.fields]).toEqual(['invalid_input', { region: 'There is no region North here.' }]);
    expect(await refusal(switchOn({ ...batches, account: 'other' }))).toMatchObject({
      fields: { account: 'There is no account other here.' },
    });
    expect(await rows()).toEqual([]);
  });

  it('while the endpoint is away changes nothing and leaves no row', async () => {
    admin.instead = 'cut';
    expect((await refusal(switchOn())).code).toBe('cosmos_away');
    expect((await refusal(switchOnFault(ctxOf(['operator'], 'none'), batches))).code).toBe('wrong_state');
    expect(await rows()).toEqual([]);
  });

  it('that the endpoint refuses is told in its own words, and leaves no row', async () => {
    const other = await startRefusing(admin.state, 'At most 50 faults are on at once.');
    const env = { adminUrl: other.url, adminTokenFile: admin.tokenFile };
    const refused = await refusal(switchOnFault(ctxOf(['operator'], env), batches));
    expect([refused.code, refused.publicMessage]).toEqual(['wrong_state', 'At most 50 faults are on at once.']);
    expect(await rows()).toEqual([]);
    await other.close();
  });

  it('is not done when its row cannot be written', async () => {
    const away = createDatabase('postgresql://habitat:x@127.0.0.1:1/none');
    await expect(switchOnFault({ ...ctxOf(), db: away }, batches)).rejects.toThrow();
    expect(admin.state.faults).toEqual([]);
    await away.$disconnect();
  });
});

describe('switching faults off', () => {
  it('takes one away, with its row', async () => {
    const { id } = await switchOn();
    await switchOnFault(ctxOf(), { percent: 100, effect: { kind: 'refuse' }, region: 'East' });
    await switchOffFault(ctxOf(['admin']), { id });
    expect(admin.state.faults).toMatchObject([{ region: 'East' }]);
    expect((await rows()).at(-1)).toMatchObject({
      actorKind: 'admin',
      did: 'switched off',
      what: 'a fault: Batches in West are answered 503, 20 % of them',
      before: { id },
    });
  });

  it('says so when it is off already', async () => {
    expect((await refusal(switchOffFault(ctxOf(), { id: 'f9' }))).code).toBe('not_found');
  });

  it('takes all away in one act, and none is no act', async () => {
    await switchOffFaults(ctxOf());
    expect(await rows()).toEqual([]);
    await switchOn();
    await switchOn();
    await switchOffFaults(ctxOf());
    expect(admin.state.faults).toEqual([]);
    expect((await rows()).at(-1)).toMatchObject({ did: 'switched off', what: 'all 2 faults' });
  });

  it('is refused to an engineer, and impossible while the endpoint is away', async () => {
    const { id } = await switchOn();
    expect((await refusal(switchOffFault(ctxOf(['engineer']), { id }))).code).toBe('not_permitted');
    expect((await refusal(switchOffFaults(ctxOf(['engineer'])))).code).toBe('not_permitted');
    admin.instead = 'cut';
    expect((await refusal(switchOffFault(ctxOf(), { id }))).code).toBe('cosmos_away');
    expect((await refusal(switchOffFaults(ctxOf()))).code).toBe('cosmos_away');
    expect(await rows()).toHaveLength(1);
  });
});

describe('moving writes, and the budget of a partition', () => {
  const toWest = { account: 'habitat-local', region: 'West' };
  const budget = { account: 'habitat-local', partitionRuPerSecond: 400 };

  it('are done by an operator, with what was before', async () => {
    await moveWrites(ctxOf(), toWest);
    await setBudget(ctxOf(), budget);
    await setBudget(ctxOf(), { ...budget, partitionRuPerSecond: null });
    expect(admin.state.accounts).toMatchObject([{ writeRegion: 'West', partitionRuPerSecond: null }]);
    expect(await rows()).toMatchObject([
      { did: 'moved', what: 'the writes of habitat-local to West', before: { writeRegion: 'East' } },
      { did: 'set the budget', what: 'of a partition of habitat-local to 400 RU/s' },
      {
        did: 'set the budget',
        what: 'of a partition of habitat-local to no limit',
        before: { partitionRuPerSecond: 400 },
      },
    ]);
  });

  it('are refused to an engineer, for what is not there, where it would change nothing, and while it is away', async () => {
    const code = async (act: Promise<unknown>) => (await refusal(act)).code;
    expect(await code(moveWrites(ctxOf(['engineer']), toWest))).toBe('not_permitted');
    expect(await code(setBudget(ctxOf(['engineer']), budget))).toBe('not_permitted');
    expect(await code(moveWrites(ctxOf(), { ...toWest, region: 'North' }))).toBe('invalid_input');
    expect(await code(setBudget(ctxOf(), { ...budget, account: 'other' }))).toBe('invalid_input');
    expect(await code(moveWrites(ctxOf(), { ...toWest, region: 'East' }))).toBe('wrong_state');
    admin.instead = 'cut';
    expect(await code(moveWrites(ctxOf(), toWest))).toBe('cosmos_away');
    expect(await code(setBudget(ctxOf(), budget))).toBe('cosmos_away');
    expect(await rows()).toEqual([]);
  });
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Tells its state and refuses every act. */
async function startRefusing(state: object, message: string) {
  const server = createServer((request, response) => {
    if (request.method === 'GET') response.end(JSON.stringify(state));
    else response.writeHead(409).end(JSON.stringify({ message }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
