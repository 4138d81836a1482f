import { parseArgs } from 'node:util';
import { readCosmosEnv } from './cosmos-env.ts';
import { EnvError } from './env-source.ts';
import { runSetup, SETUP_EXIT, type SetupExit } from './store/azure/setup/run-setup.ts';
import { openSetupClient } from './store/azure/setup/setup-client.ts';

const USAGE = `Usage: npm run cosmos:setup -- [--yes] [--max-ru N]

Makes the database and the containers that Habitat needs in the account that COSMOS_ENDPOINT names, and checks the account.
Without --yes it only says what it would change.

  --yes       make the changes
  --max-ru N  let the main container scale up to N request units a second: a multiple of 1,000

Exit code: 0 nothing (more) to do, 1 it would change something, 2 wrong usage, 3 impossible, 4 the account cannot be reached.`;

/** `npm run cosmos:setup`. Resolves with the exit code and leaves nothing open. */
async function main(): Promise<SetupExit> {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const usage = (sentence: string): SetupExit => {
    process.stderr.write(`${sentence}\n\n${USAGE}\n`);
    return SETUP_EXIT.usage;
  };
  let wish: { readonly apply: boolean; readonly maxRu: number | null };
  let env: ReturnType<typeof readCosmosEnv>;
  try {
    const { values } = parseArgs({
      options: { yes: { type: 'boolean' }, 'max-ru': { type: 'string' }, help: { type: 'boolean' } },
    });
    if (values.help === true) {
      say(USAGE);
      return SETUP_EXIT.done;
    }
    wish = { apply: values.yes === true, maxRu: readMaxRu(values['max-ru']) };
    env = readCosmosEnv(process.env);
  } catch (error) {
    if (error instanceof EnvError || error instanceof TypeError || error instanceof RangeError) {
      return usage(error.message);
    }
    throw error;
  }
  say(`Account ${env.endpoint}`);
  const { client, close } = openSetupClient(env.endpoint, env.credential);
  try {
    return await runSetup(client, { ...wish, say });
  } finally {
    await close();
  }
}

function readMaxRu(text: string | undefined): number | null {
  if (text === undefined) return null;
  const maxRu = /^\d{4,7}$/.test(text) ? Number(text) : Number.NaN;
  if (maxRu >= 1_000 && maxRu % 1_000 === 0) return maxRu;
  throw new RangeError(`--max-ru is "${text}"; it is a multiple of 1000, from 1000 to 9999000.`);
}

/** What nobody foresaw must not look like "it would change something", which is 1, Node's own code. */
async function guarded(): Promise<SetupExit> {
  try {
    return await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return SETUP_EXIT.impossible;
  }
}

process.exitCode = await guarded();
