import { createLocalJWKSet, exportJWK, generateKeyPair } from 'jose';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import type { ConsoleAnswer, ConsoleClient } from '#gateway/release/console-client.ts';
import { compile } from '#server/compile/compile.ts';
import type { DraftEdit, KeyItem } from '#server/compile/model.ts';
import { type BuiltRelease, buildRelease } from '#server/publication/build-release.ts';
import { createSigner } from '#server/publication/signer.ts';

interface Wanted {
  readonly published: readonly Definition[];
  readonly edits?: readonly DraftEdit[];
  readonly keys?: readonly KeyItem[];
  readonly inParts?: boolean;
}

/** Compiles and signs releases as the console does, and holds them for gateways to fetch. */
export async function signReleases() {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const signer = await createSigner({ kty: 'OKP', crv: 'Ed25519', x: jwk.x ?? '', d: jwk.d ?? '' });
  const blobs = new Map<string, Buffer>();
  let number = 0;
  const build = async ({ published, edits = [], keys = [], inParts = true }: Wanted): Promise<BuiltRelease> => {
    const teams = ['chat', 'platform', 'search'];
    const { sections, findings } = compile({ published, edits, teams, keys });
    if (sections === null) throw new Error(`It does not compile: ${JSON.stringify(findings.slice(0, 3))}`);
    number += 1;
    const id = { epoch: 1, number };
    const built = await buildRelease({ id, createdAtMs: 1, previous: null, sections, inParts, signer });
    blobs.set(`releases/${built.header.sha256}`, Buffer.from(JSON.stringify(built.header)));
    for (const { sha256, content } of built.sections) blobs.set(`sections/${sha256}`, Buffer.from(content));
    return built;
  };
  return { build, blobs, trust: createLocalJWKSet({ keys: [signer.publicJwk] }) };
}

/** A console of `blobs` without a network that counts what it sends. */
export function countingClient(blobs: ReadonlyMap<string, Buffer>) {
  const sent = { bytes: 0, replies: 0 };
  const reply = (bodies: readonly (Buffer | undefined)[]): ConsoleAnswer => {
    if (bodies.includes(undefined)) return { kind: 'refused', status: 404, message: 'There is none.' };
    const body = Buffer.concat(bodies.filter((one) => one !== undefined));
    sent.bytes += body.length;
    sent.replies += 1;
    return { kind: 'ok', status: 200, etag: null, body };
  };
  const client: ConsoleClient = {
    get: async (path) => reply([blobs.get(path)]),
    post: async (_, wanted) => {
      const { sha256 } = wanted as { sha256: readonly string[] };
      return reply(
        sha256.flatMap((hash) => {
          const bytes = blobs.get(`sections/${hash}`);
          const length = Buffer.alloc(4);
          length.writeUInt32BE(bytes?.length ?? 0);
          return [length, bytes];
        }),
      );
    },
  };
  return { client, sent };
}
