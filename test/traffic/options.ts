import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

/** What to send, where, and for how long. */
export interface TrafficOptions {
  readonly gatewayUrl: string;
  readonly consoleUrl: string | null;
  readonly key: string;
  readonly seconds: number;
  readonly perSecond: number;
}

const MAX_SECONDS = 3_600;
const MAX_PER_SECOND = 500;
const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];

const RunFile = z.object({ gatewayUrl: z.url(), consoleUrl: z.url().optional() });

/** Options from the command line and from what `npm start` left under HABITAT_HOME. Throws one sentence. */
export function readOptions(args: readonly string[], home: string): TrafficOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { seconds: { type: 'string', default: '60' }, rate: { type: 'string', default: '40' } },
  });
  const run = RunFile.safeParse(JSON.parse(readFile(home, 'run.json')));
  if (!run.success) throw new Error(`${join(home, 'run.json')} names no gatewayUrl. Start Habitat with npm start.`);
  const { gatewayUrl, consoleUrl = null } = run.data;
  if (!LOCAL.includes(new URL(gatewayUrl).hostname)) {
    throw new Error(`${gatewayUrl} is not on this machine, and sample load goes nowhere else.`);
  }
  return {
    gatewayUrl,
    consoleUrl,
    key: readFile(home, 'demo-key').trim(),
    seconds: readNumber('--seconds', values.seconds, MAX_SECONDS),
    perSecond: readNumber('--rate', values.rate, MAX_PER_SECOND),
  };
}

function readFile(home: string, name: string): string {
  try {
    return readFileSync(resolve(home, name), 'utf8');
  } catch {
    throw new Error(`${join(home, name)} is missing. Start Habitat with npm start, then run this again.`);
  }
}

function readNumber(name: string, text: string, most: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw new Error(`${name} is "${text}"; it is a whole number from 1 to ${most}.`);
}
