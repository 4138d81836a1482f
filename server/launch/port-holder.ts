import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { commandLine } from './processes.ts';

const LISTENING = '0A';

/** Who listens on a port, as ` (pid 12, node …)`; empty where the system does not tell (other than Linux, other users). */
export function describePortHolder(port: number): string {
  const sockets = new Set(listeningSockets(port).map((inode) => `socket:[${inode}]`));
  const pid = sockets.size === 0 ? undefined : processNumbers().find((candidate) => holdsAny(candidate, sockets));
  if (pid === undefined) return '';
  const command = commandLine(pid)?.slice(0, 80);
  return command === undefined || command === '' ? ` (pid ${pid})` : ` (pid ${pid}, ${command})`;
}

/** Rows of /proc/net/tcp: `sl local_address rem_address st … inode`, addresses as hex `ip:port`. */
function listeningSockets(port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    readLines(table).flatMap((line) => {
      const fields = line.trim().split(/\s+/);
      const inode = fields[9];
      return fields[1]?.endsWith(suffix) && fields[3] === LISTENING && inode !== undefined ? [inode] : [];
    }),
  );
}

function processNumbers(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function holdsAny(pid: number, sockets: ReadonlySet<string>): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => sockets.has(readlinkSync(`${folder}/${fd}`)));
  } catch {
    // Another user's process, or one that ended while we looked.
    return false;
  }
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
