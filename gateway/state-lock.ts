import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'gateway.pid';

/**
 * Takes a state folder for this process: two gateways must not ship and delete each other's audit spools. Returns the
 * function that gives it back; throws an error with one sentence when a running gateway has it, or it cannot be written.
 */
export function lockStateDir(dir: string): () => void {
  const file = join(dir, FILE);
  try {
    mkdirSync(dir, { recursive: true });
    const holder = readHolder(file);
    if (holder !== null && isGateway(holder)) {
      throw new Error(`GATEWAY_STATE_DIR: the folder ${dir} is in use by the gateway process ${holder}.`);
    }
    writeFileSync(file, String(process.pid));
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new Error(`GATEWAY_STATE_DIR: the folder ${dir} cannot be written (${error.code}).`);
  }
  return () => {
    if (readHolder(file) === process.pid) unlinkSync(file);
  };
}

function readHolder(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** Whether a process id that a crash may have left behind still belongs to a gateway. */
function isGateway(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('gateway');
  } catch {
    return true;
  }
}
