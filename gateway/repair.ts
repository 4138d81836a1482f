import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLocalJWKSet } from 'jose';
import { createContent } from './content/create-content.ts';
import { openWrapping } from './content/keys/open-wrapping.ts';
import { ObjectTypeName, TenantName } from './contract/ids.ts';
import { type GatewayEnv, readEnv } from './env.ts';
import { EnvError } from './env-source.ts';
import type { ObjectKey } from './pipeline/store-port.ts';
import { buildIndexes } from './release/build-indexes.ts';
import { createConsoleClient } from './release/console-client.ts';
import { createLastGood } from './release/last-good.ts';
import { createReleaseSource } from './release/source.ts';
import type { CountDrift } from './store/repair/recount.ts';
import { type RepairWish, runRepair } from './store/repair/run-repair.ts';
import type { InverseDrift } from './store/repair/verify-inverses.ts';

const USAGE = `Usage: npm run repair -- --tenant T [--type X] [--dry-run] [--max-ru N]

Recounts every object of a tenant against its lists and its bytes, and looks at both halves of each edge that has an
inverse. Prints what differs and fixes it; gateways may serve meanwhile. Takes the gateway's environment, and its last
release for which edge types have an inverse.

  --type X    only objects of this type
  --dry-run   print what differs and fix nothing
  --max-ru N  use at most N request units a second (200)

Exit code: 0 nothing differs (any more), 1 a dry run found differences, 2 wrong usage, 3 some objects could not be checked.`;

const EXIT = { done: 0, drift: 1, usage: 2, refused: 3 } as const;
type Exit = (typeof EXIT)[keyof typeof EXIT];

/** `npm run repair`. Resolves with the exit code and leaves nothing open. */
async function main(): Promise<Exit> {
  try {
    const wish = readWish();
    if (wish === null) return say(USAGE);
    const env = readEnv(process.env);
    return await run(env, { ...wish, mirrored: await readMirrored(env) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isUsage = error instanceof EnvError || error instanceof TypeError || error instanceof RangeError;
    process.stderr.write(isUsage ? `${error.message}\n\n${USAGE}\n` : `${error.message}\n`);
    return isUsage ? EXIT.usage : EXIT.refused;
  }
}

function say(line: string): Exit {
  process.stdout.write(`${line}\n`);
  return EXIT.done;
}

/** Null when help was asked for. */
function readWish(): Omit<RepairWish, 'mirrored'> | null {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    options: { tenant: text, type: text, 'max-ru': text, 'dry-run': flag, help: flag },
  });
  if (values.help === true) return null;
  const tenant = TenantName.safeParse(values.tenant);
  if (!tenant.success) throw new RangeError('Name the tenant: --tenant T.');
  const type = values.type === undefined ? null : ObjectTypeName.safeParse(values.type);
  if (type?.success === false) throw new RangeError(`--type is "${values.type}", which is no name of a type.`);
  const maxRu = values['max-ru'] ?? '200';
  if (!/^[1-9]\d{0,5}$/.test(maxRu)) throw new RangeError(`--max-ru is "${maxRu}"; it is a whole number from 1.`);
  return {
    tenant: tenant.data,
    type: type?.data ?? null,
    isDryRun: values['dry-run'] === true,
    maxRuPerSecond: Number(maxRu),
  };
}

/** From the release that the gateway keeps on disk, verified as the gateway does. */
async function readMirrored(env: GatewayEnv): Promise<RepairWish['mirrored']> {
  const kept = await createReleaseSource({
    client: createConsoleClient({ consoleUrl: env.consoleUrl, gateway: env.name, token: env.token }),
    trust: createLocalJWKSet({ keys: [...env.trust.keys] }),
    lastGood: createLastGood(join(env.stateDir, 'release')),
    nowMs: Date.now,
  }).kept();
  if (kept === null) throw new Error(`No release is kept in ${env.stateDir}: start a gateway on it once.`);
  const { objectTypes } = buildIndexes(kept, new Int32Array(0));
  return (type) => objectTypes.get(type)?.mirrored ?? [];
}

async function run(env: GatewayEnv, wish: RepairWish): Promise<Exit> {
  const content = createContent({ keysDir: env.keysDir, wrapping: openWrapping(env, Date.now), now: Date.now });
  const options = { ...env.cosmos, content, clock: { now: Date.now } };
  const end = await runRepair(options, wish, {
    onDrift: (key, drift) => {
      for (const line of driftLines(key, drift)) say(line);
    },
    onRefused: (pk, message) => void process.stderr.write(`${pk}: ${message}\n`),
    pause: (ms) => pause(ms),
  });
  const { objects, drifted, refused, usedRu } = end;
  const verb = wish.isDryRun ? 'differ' : 'differed and were fixed';
  say(`${objects} objects looked at, ${drifted} ${verb}, ${refused} could not be checked; ${Math.round(usedRu)} RU.`);
  if (refused > 0) return EXIT.refused;
  return wish.isDryRun && drifted > 0 ? EXIT.drift : EXIT.done;
}

interface Drift {
  readonly counts: CountDrift | null;
  readonly inverses: readonly InverseDrift[];
}

function driftLines({ type, id }: ObjectKey, { counts, inverses }: Drift): string[] {
  const name = `${type} ${JSON.stringify(id)}`;
  const lines = (counts?.counts ?? []).map(
    ({ edgeType, counted, listed }) => `${name}: ${edgeType} counts ${counted}, its list has ${listed}`,
  );
  if (counts !== null && counts.bytes.counted < counts.bytes.stored) {
    lines.push(`${name}: counts ${counts.bytes.counted} bytes, ${counts.bytes.stored} are stored`);
  }
  for (const { edgeType, from, to, what } of inverses) {
    const pair = `${edgeType} from ${JSON.stringify(from)} to ${JSON.stringify(to)}`;
    lines.push(`${name}: ${what === 'missing' ? 'no inverse, or an older one, of' : 'an inverse without'} ${pair}`);
  }
  return lines;
}

process.exitCode = await main();
