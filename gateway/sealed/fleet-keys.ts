import { hkdfSync } from 'node:crypto';

/** One generation of the fleet's keys. */
export interface FleetKey {
  /** First byte of a hash of the secret: tells two live generations apart. */
  readonly id: number;
  readonly cursor: Buffer;
  readonly session: Buffer;
}

/** The newest key first: it seals, all of them open. At most two live at once, while a secret is exchanged. */
export type FleetKeys = readonly [FleetKey, ...FleetKey[]];

const MIN_SECRET_LENGTH = 32;
const MAX_LIVE = 2;

/**
 * Keys from the text of the fleet secret: one secret a line, the newest first. All gateways of a fleet have the same, so
 * a cursor or a session survives restarts and other gateways. Returns a sentence when the text is no such file.
 */
export function fleetKeysFrom(text: string): { keys: FleetKeys } | { problem: string } {
  const secrets = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [newest, ...older] = secrets;
  if (newest === undefined || secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
    return { problem: `has a secret shorter than ${MIN_SECRET_LENGTH} characters` };
  }
  if (secrets.length > MAX_LIVE) return { problem: `has more than ${MAX_LIVE} secrets` };
  return { keys: [keyFrom(newest), ...older.map(keyFrom)] };
}

function keyFrom(secret: string): FleetKey {
  const derive = (use: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, '', `habitat ${use}`, bytes));
  return { id: derive('key id', 1).readUInt8(0), cursor: derive('cursor', 32), session: derive('session', 32) };
}
