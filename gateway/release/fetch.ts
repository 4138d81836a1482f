import type { CompactVerifyGetKey } from 'jose';
import type { ConsoleAnswer, ConsoleClient } from './console-client.ts';
import type { ReleaseContent } from './content.ts';
import { parseSections, ReleaseRejected, verifyHeader } from './verify.ts';

/** The console did not answer; worth repeating. */
export class ConsoleAway extends Error {
  override readonly name = 'ConsoleAway';
}

/** A release as it lies on disk: the bytes that were verified, so that they can be verified again. */
export interface ReleaseBytes {
  readonly sha256: string;
  readonly header: Buffer;
  readonly sections: ReadonlyMap<string, Buffer>;
}

export interface Fetched {
  readonly bytes: ReleaseBytes;
  readonly content: ReleaseContent;
}

/**
 * Fetches and verifies a release. Sections are content-addressed: one that `known` has is not fetched again.
 * Throws `ReleaseRejected` or `ConsoleAway`.
 */
export async function fetchRelease(
  sha256: string,
  known: ReadonlyMap<string, Buffer>,
  ports: { readonly client: ConsoleClient; readonly trust: CompactVerifyGetKey },
): Promise<Fetched> {
  const headerBytes = bodyOf(await ports.client.get(`releases/${sha256}`), 'release');
  const header = await verifyHeader(headerBytes, sha256, ports.trust);
  const sections = new Map<string, Buffer>();
  for (const section of header.sections) {
    const kept = known.get(section.sha256);
    const bytes = kept ?? bodyOf(await ports.client.get(`sections/${section.sha256}`), `section ${section.kind}`);
    sections.set(section.sha256, bytes);
  }
  const bytes = { sha256, header: headerBytes, sections };
  return { bytes, content: contentOf(header, sections) };
}

/** Verifies bytes that were kept. Throws `ReleaseRejected`. */
export async function verifyBytes(bytes: ReleaseBytes, trust: CompactVerifyGetKey): Promise<ReleaseContent> {
  const header = await verifyHeader(bytes.header, bytes.sha256, trust);
  return contentOf(header, bytes.sections);
}

function contentOf(header: Parameters<typeof parseSections>[0], sections: ReadonlyMap<string, Buffer>): ReleaseContent {
  return parseSections(header, (sha256) => {
    const bytes = sections.get(sha256);
    if (bytes === undefined) throw new ReleaseRejected(`Section ${sha256} is missing.`);
    return bytes;
  });
}

function bodyOf(answer: ConsoleAnswer, what: string): Buffer {
  if (answer.kind === 'ok') return answer.body;
  if (answer.kind === 'away') throw new ConsoleAway(answer.message);
  throw new ReleaseRejected(`The console has no ${what} of this hash (${answer.status}).`);
}
