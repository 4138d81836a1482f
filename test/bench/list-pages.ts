import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ctx } from '#server/context.ts';
import { applyMigrations } from '#server/db/apply-migrations.ts';
import { createDatabase, withTransaction } from '#server/db/client.ts';
import { createListener } from '#server/db/listen.ts';
import { parseEnv } from '#server/env.ts';
import { startPostgres } from '#server/launch/postgres.ts';
import { loadPublished } from '#server/publication/load-published.ts';
import { lockPublishing, publishRelease } from '#server/publication/publish-release.ts';
import { createSigner } from '#server/publication/signer.ts';
import { addBulkRows } from '#test/support/bulk-rows.ts';
import { FIRST_PAGES } from '#test/support/first-pages.ts';

/**
 * How long the console takes at the size that an installation may have: `npm run bench:lists -- [audit rows]`. First pages
 * of every list over 10,000 object types, 20,000 edge types, 1,000 tenants, 10,000 changes and releases; then publishing
 * over them: everything for the first time, then one type. The verbs run here against an embedded Postgres.
 */
const AUDIT_ROWS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 15;
const NOW_MS = Date.UTC(2026, 10, 30, 12);

const folder = await mkdtemp(join(tmpdir(), 'habitat-bench-'));
const server = await startPostgres({
  ...{ folder: join(folder, 'postgres'), logFile: join(folder, 'postgres.log') },
  ...{ database: 'habitat', durable: true },
});
try {
  await applyMigrations(server.url);
  await measure(server.url);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(url: string): Promise<void> {
  const db = createDatabase(url);
  const listener = createListener(url);
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const signer = await createSigner({ kty: 'OKP', crv: 'Ed25519', x: jwk.x ?? '', d: jwk.d ?? '' });
  const ctx: Ctx = {
    actor: { id: 'ana', name: 'Ana Ruiz', email: 'ana@example.test', roles: ['admin'], teams: ['chat'] },
    env: parseEnv({ DATABASE_URL: url, NEXTAUTH_SECRET: 'a secret of the bench, long enough' }),
    ...{ db, listener, signer, nowMs: NOW_MS, requestId: 'creq_bench', signal: new AbortController().signal },
  };
  await db.team.create({ data: { name: 'chat', displayName: 'Chat' } });
  await addBulkRows(db, {
    ...{ objectTypes: 10_000, edgeTypes: 20_000, tenants: 1_000, policies: 200 },
    ...{ changes: 10_000, releases: 10_000, auditRows: AUDIT_ROWS, gateways: 50 },
  });
  say(
    `${AUDIT_ROWS} audit rows, ${RUNS} runs, Node ${process.versions.node}: median ms [fastest – slowest], CPU ms of this process`,
  );
  for (const [name, ask] of Object.entries(FIRST_PAGES)) await time(`first page of ${name}`, RUNS, () => ask(ctx));
  for (const [name, times] of [
    ['everything for the first time', 1],
    ['one type', 5],
  ] as const) {
    await time(`publish ${name}`, times, (run) => publish(ctx, run));
  }
  await listener.close();
  await db.$disconnect();
}

async function publish(ctx: Ctx, run: number): Promise<void> {
  const { actor: person } = ctx;
  const type = (await loadPublished(ctx.db)).find(({ name }) => name === 'Bulk77');
  if (type === undefined) throw new Error('there is no Bulk77');
  const document = { ...type.document, description: `Edited at ${performance.now()} in run ${run}.` };
  const request = {
    ...{ edits: [{ kind: type.kind, name: type.name, document }], cause: 'A change', reason: 'For the bench.' },
    ...{ by: person, author: person, approvedBy: null, selfApproved: false, changeNumber: null, emergency: false },
  };
  await withTransaction(ctx.db, async (tx) => {
    await lockPublishing(tx);
    await publishRelease(tx, ctx, request);
  });
}

async function time(what: string, runs: number, work: (run: number) => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  const cpu = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now();
    await work(run);
    took.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(cpu);
  const sorted = took.toSorted((a, b) => a - b);
  const [median, least, most] = [sorted[Math.floor(runs / 2)], sorted[0], sorted.at(-1)].map((ms) =>
    (ms ?? 0).toFixed(0),
  );
  say(`${what.padEnd(42)} ${median} [${least} – ${most}]  ${Math.round((user + system) / 1_000 / runs)}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
