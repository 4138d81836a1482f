import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { findFreePort, isPortFree } from './ports.ts';
import { writeFileAtomically } from './write-file.ts';

const remembered = z.record(z.string(), z.int().min(1).max(65_535));

/**
 * Ports for what nobody types the address of: free ones, chosen at the first start and kept in `file`, so that what has
 * seen an address finds it again after a restart. One that somebody else holds now is replaced. `taken` are those of the
 * launcher's other parts, which do not listen yet.
 */
export async function rememberPorts<Name extends string>(
  file: string,
  names: readonly Name[],
  taken: readonly number[],
): Promise<Readonly<Record<Name, number>>> {
  const before = readPorts(file);
  const used = new Set(taken);
  const ports = new Map<Name, number>();
  for (const name of names) {
    const port = await portFor(before[name], used);
    used.add(port);
    ports.set(name, port);
  }
  const chosen = Object.fromEntries(ports) as Record<Name, number>;
  writeFileAtomically(file, JSON.stringify(chosen));
  return chosen;
}

async function portFor(wanted: number | undefined, used: ReadonlySet<number>): Promise<number> {
  if (wanted !== undefined && !used.has(wanted) && (await isPortFree(wanted))) return wanted;
  for (;;) {
    const port = await findFreePort();
    if (!used.has(port)) return port;
  }
}

function readPorts(file: string): z.infer<typeof remembered> {
  try {
    return remembered.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // The first start, or cut off by a full disk: either way nothing is remembered.
    return {};
  }
}
