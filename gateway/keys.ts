import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { destroyKeys } from './content/acts/destroy-keys.ts';
import { type ListedTenant, listKeys } from './content/acts/list-keys.ts';
import { rotateKey } from './content/acts/rotate-key.ts';
import type { KeyPlace } from './content/keys/key-folder.ts';
import { KeyProblem } from './content/keys/key-wrapping.ts';
import { openWrapping } from './content/keys/open-wrapping.ts';
import { TenantName } from './contract/ids.ts';
import { EnvError } from './env-source.ts';
import { readKeysEnv } from './keys-env.ts';

const USAGE = `Usage: npm run keys -- list [--tenant T]
       npm run keys -- rotate --tenant T
       npm run keys -- destroy --tenant T [--yes=T]

The data keys of tenants in HABITAT_KEYS_DIR, or else in the folder keys of HABITAT_HOME, wrapped by the vault that
HABITAT_KEY_VAULT names or else by the folder's master key.

  list      every key: since when it is, and whether it writes, only decrypts yet, or only reads
  rotate    make a new key; gateways read with it at once and write with it after a minute
  destroy   make everything that is stored for the tenant unreadable, for ever

Exit code: 0 done, 2 wrong usage, 3 impossible, 4 the tenant's name was not confirmed.`;

const EXIT = { done: 0, usage: 2, impossible: 3, unconfirmed: 4 } as const;
type Exit = (typeof EXIT)[keyof typeof EXIT];

class UsageError extends Error {}

interface Wish {
  readonly act: 'list' | 'rotate' | 'destroy';
  readonly tenant: TenantName | null;
  readonly yes: string | null;
}

/** `npm run keys`. */
async function main(): Promise<Exit> {
  try {
    const wish = readWish();
    if (wish === 'help') return say(USAGE);
    const env = readKeysEnv(process.env);
    return await run(wish, { keysDir: env.keysDir, wrapping: openWrapping(env, Date.now) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isUsage = error instanceof UsageError || error instanceof TypeError || error instanceof EnvError;
    const text = error instanceof KeyProblem || isUsage ? error.message : (error.stack ?? error.message);
    process.stderr.write(isUsage ? `${text}\n\n${USAGE}\n` : `${text}\n`);
    return isUsage ? EXIT.usage : EXIT.impossible;
  }
}

function readWish(): Wish | 'help' {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { tenant: { type: 'string' }, yes: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help === true) return 'help';
  const [act, ...rest] = positionals;
  if (act !== 'list' && act !== 'rotate' && act !== 'destroy') throw new UsageError('Say list, rotate or destroy.');
  if (rest.length > 0) throw new UsageError(`${rest.join(' ')}: name the tenant with --tenant.`);
  const tenant = values.tenant === undefined ? null : TenantName.safeParse(values.tenant);
  if (tenant?.success === false) throw new UsageError(tenant.error.issues[0]?.message ?? 'That is no tenant.');
  if (values.yes !== undefined && act !== 'destroy') throw new UsageError('--yes belongs to destroy.');
  return { act, tenant: tenant?.data ?? null, yes: values.yes ?? null };
}

function run({ act, tenant, yes }: Wish, place: KeyPlace): Promise<Exit> {
  if (act === 'list') return list(place, tenant);
  if (tenant === null) throw new UsageError(`Name the tenant to ${act} with --tenant.`);
  return act === 'rotate' ? rotate(place, tenant) : destroy(place, { tenant, yes });
}

async function list({ keysDir }: KeyPlace, tenant: TenantName | null): Promise<Exit> {
  const listed = await listKeys(keysDir, { tenant, nowMs: Date.now() });
  if (listed.length === 0) say(`No tenant has keys in ${keysDir}.`);
  for (const one of listed) say(linesOf(one));
  return EXIT.done;
}

function linesOf({ tenant, keys }: ListedTenant): string {
  if (keys === 'destroyed') return `${tenant}: destroyed`;
  if (keys.length === 0) return `${tenant}: no key yet`;
  const lines = keys.map(({ keyId, createdMs, state, writesFromMs, vaultKey }) => {
    const until = state === 'decrypt-only' ? ` until ${timeOf(writesFromMs)}` : '';
    return `  ${keyId}  made ${timeOf(createdMs)}  ${state}${until}${vaultKey === null ? '' : `  ${vaultKey}`}`;
  });
  return [`${tenant}:`, ...lines].join('\n');
}

async function rotate(place: KeyPlace, tenant: TenantName): Promise<Exit> {
  const { made, replaced } = await rotateKey(place, tenant, Date.now());
  say(
    `Made ${made.keyId} for tenant ${tenant}. Gateways read with it now and write with it from ${timeOf(made.writesFromMs)}.`,
  );
  return say(`${replaced.keyId} and older keys stay: what they sealed is read with them.`);
}

async function destroy(
  place: KeyPlace,
  { tenant, yes }: { readonly tenant: TenantName; readonly yes: string | null },
): Promise<Exit> {
  const [listed] = await listKeys(place.keysDir, { tenant, nowMs: Date.now() });
  if (listed?.keys === 'destroyed')
    say(`The keys of tenant ${tenant} were destroyed; what may be left of them goes now.`);
  else if (listed !== undefined) say(effectOf(tenant, listed.keys.length));
  if ((yes ?? (await ask(`Type ${tenant} to destroy its keys: `))) !== tenant) {
    process.stderr.write(`Nothing was destroyed: confirm with --yes=${tenant}.\n`);
    return EXIT.unconfirmed;
  }
  const { keys, beside } = await destroyKeys(place, tenant, Date.now());
  say(`Destroyed ${keys.length === 0 ? 'what was left' : keys.join(', ')} of tenant ${tenant}.`);
  if (beside !== null) say(beside);
  return say('Every gateway has let go of them within 60 s from now.');
}

function effectOf(tenant: TenantName, count: number): string {
  return [
    `This destroys ${count === 1 ? 'the one data key' : `all ${count} data keys`} of tenant ${tenant}. It cannot be undone.`,
    '  Everything stored for the tenant becomes unreadable for ever, in backups of Cosmos DB too.',
    '  Within 60 s gateways answer key_unavailable to reads and writes of its content. Deletes go on.',
    '  A copy of the keys folder still opens it: destroy those copies yourself.',
  ].join('\n');
}

/** What the person types; nothing when nobody can. */
async function ask(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

function say(text: string): Exit {
  process.stdout.write(`${text}\n`);
  return EXIT.done;
}

process.exitCode = await main();
