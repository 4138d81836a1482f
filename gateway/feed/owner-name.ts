import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'feed-owner';

/**
 * Names this gateway in leases of the change feed. The name outlives the process, so that a gateway that was killed takes
 * up at once what it held; it is of the state folder, which one process has at a time, and not of `GATEWAY_NAME` alone,
 * which two might share by mistake.
 */
export function feedOwner(stateDir: string, gateway: string): string {
  const file = join(stateDir, FILE);
  const known = readKnown(file);
  if (known?.startsWith(`${gateway}.`) === true) return known;
  const owner = `${gateway}.${randomBytes(4).toString('hex')}`;
  writeFileSync(file, owner);
  return owner;
}

function readKnown(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
