import { z } from 'zod';
import { HEADER, type RegionTable } from './shared-table.ts';

/** Region names become header values and labels: printable ASCII only. */
const RegionName = z.string().regex(/^[\x20-\x7e]{1,64}$/);
const Location = z.object({ name: RegionName, databaseAccountEndpoint: z.url({ protocol: /^https?$/ }) });

/** What the gateway reads of the account document (https://learn.microsoft.com/rest/api/cosmos-db/get-a-database-account). */
const AccountDocument = z.object({
  id: z.string().min(1).max(64),
  writableLocations: z.array(Location).min(1),
  readableLocations: z.array(Location).min(1),
});

const KnownRegion = z.object({ name: z.string(), url: z.string() });

/** An account's regions in the document's order, and which of them takes writes. */
const AccountRegions = z.object({ account: z.string(), write: KnownRegion, regions: z.array(KnownRegion) });
export type AccountRegions = z.infer<typeof AccountRegions>;

/**
 * Parses the document as the service sends it; throws when it is not one. With several write regions the first takes all
 * writes: concurrent increments under multi-region writes would lose counts.
 */
export function parseAccountDocument(body: unknown): AccountRegions {
  const { id, writableLocations, readableLocations } = AccountDocument.parse(body);
  const known = ({ name, databaseAccountEndpoint }: z.infer<typeof Location>) => ({
    name,
    url: databaseAccountEndpoint,
  });
  const [write, ...others] = writableLocations.map(known);
  if (write === undefined) throw new Error('The account document names no write region.');
  const regions = readableLocations.map(known);
  for (const one of [write, ...others]) if (!regions.some(({ name }) => name === one.name)) regions.push(one);
  return { account: id, write, regions };
}

/**
 * Gives the document to all workers, unless another thread is doing so: the lease of reading it sees to one at a time, but
 * a thread that was put aside for seconds may come back to it.
 */
export function publishDocument(table: RegionTable, regions: AccountRegions): void {
  const bytes = new TextEncoder().encode(JSON.stringify(regions));
  if (bytes.length > table.document.length) throw new Error('The account document is too long.');
  // Odd while the bytes change, so that no reader takes half of two documents.
  const held = Atomics.load(table.header, HEADER.documentVersion);
  const version = held & ~1;
  if (Atomics.compareExchange(table.header, HEADER.documentVersion, held, version + 1) !== held) return;
  table.document.set(bytes);
  Atomics.store(table.header, HEADER.documentLength, bytes.length);
  Atomics.store(table.header, HEADER.documentVersion, version + 2);
}

/** The version of the document that a worker published last; 0 before the first. */
export function documentVersion({ header }: RegionTable): number {
  return Atomics.load(header, HEADER.documentVersion) & ~1;
}

/** The document of this version; null when it is being replaced, or two threads wrote it at once. */
export function readDocument({ header, document }: RegionTable, version: number): AccountRegions | null {
  const bytes = Uint8Array.from(document.subarray(0, Atomics.load(header, HEADER.documentLength)));
  if (Atomics.load(header, HEADER.documentVersion) !== version) return null;
  try {
    return AccountRegions.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    // Whoever asks stays with the regions it knows; the next reading replaces it.
    return null;
  }
}
