import { MAX_SECTIONS_A_REQUEST } from '#gateway/contract/machine-api.ts';
import type { ConsoleAnswer, ConsoleClient } from './console-client.ts';
import { ConsoleAway, ReleaseRejected } from './release-rejected.ts';

/**
 * Fetches sections by hash, many in one request. Nothing is checked here. A console that does not know how to send many is
 * asked for one at a time. Throws `ReleaseRejected` or `ConsoleAway`.
 */
export async function fetchSections(hashes: readonly string[], client: ConsoleClient): Promise<readonly Buffer[]> {
  const found: Buffer[] = [];
  for (let at = 0; at < hashes.length; at += MAX_SECTIONS_A_REQUEST) {
    found.push(...(await fetchSome(hashes.slice(at, at + MAX_SECTIONS_A_REQUEST), client)));
  }
  return found;
}

async function fetchSome(hashes: readonly string[], client: ConsoleClient): Promise<readonly Buffer[]> {
  if (hashes.length > 1) {
    const answer = await client.post('sections', { sha256: hashes });
    const isUnknown = answer.kind === 'refused' && (answer.status === 404 || answer.status === 405);
    if (!isUnknown) return framesOf(bodyOf(answer, 'sections'), hashes.length);
  }
  const bodies: Buffer[] = [];
  for (const hash of hashes) bodies.push(bodyOf(await client.get(`sections/${hash}`), 'section'));
  return bodies;
}

/** Each section as its length and its bytes, see `SectionsWanted`. */
function framesOf(body: Buffer, count: number): readonly Buffer[] {
  const frames: Buffer[] = [];
  let at = 0;
  while (at + 4 <= body.length) {
    const end = at + 4 + body.readUInt32BE(at);
    frames.push(body.subarray(at + 4, end));
    at = end;
  }
  if (frames.length === count && at === body.length) return frames;
  throw new ReleaseRejected('The console sent other sections than were asked for.');
}

export function bodyOf(answer: ConsoleAnswer, what: string): Buffer {
  if (answer.kind === 'ok') return answer.body;
  if (answer.kind === 'away') throw new ConsoleAway(answer.message);
  throw new ReleaseRejected(`The console has no ${what} of this hash (${answer.status}).`);
}
