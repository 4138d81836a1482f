import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { TenantName } from '#gateway/contract/ids.ts';
import { type Denial, deny } from '#gateway/pipeline/denial.ts';
import type { ContentBinding, ContentPort, SealedContent } from '#gateway/pipeline/store-port.ts';
import { additionalData } from './additional-data.ts';
import { compress, decompress } from './codec.ts';
import { isKeyId } from './keys/key-folder.ts';
import { KeyProblem, type KeyWrapping } from './keys/key-wrapping.ts';
import { createMasterWrapping } from './keys/master-key.ts';
import { createTenantKeys, type DataKey } from './keys/tenant-keys.ts';
import { createRandomIvs, IV_BYTES } from './random-ivs.ts';
import { createSealedCounts, type SealedBatch } from './sealed-counts.ts';

const TAG_BYTES = 16;
const CRC_BYTES = 4;

export interface ContentOptions {
  readonly keysDir: string;
  readonly now: () => number;
  /** What the data keys are wrapped by; the master key of the folder unless told. */
  readonly wrapping?: KeyWrapping;
  /** Tells operators why a key cannot be had; callers only learn that it cannot. */
  readonly say?: (sentence: string) => void;
  /** Called when a data key of a tenant is let go of: what it sealed is to be forgotten. */
  readonly onKeyGone?: (tenant: TenantName) => void;
}

export interface Content extends ContentPort {
  /** Whether what a data key sealed may still be shown by those who opened it before. */
  holdsKey(tenant: TenantName, keyId: string): boolean;
  /** Lets go of keys that may have been destroyed; to be called every few seconds. */
  dropStaleKeys(): void;
  /** What was sealed since the last call. */
  drainSealed(): SealedBatch;
}

/**
 * Content as it is stored: zstd when that is smaller, then AES-256-GCM under the tenant's data key, bound to the item by
 * additional data. The envelope is IV (12 bytes), ciphertext of crc32(plain) and body, tag (16). A crc32 of the whole
 * envelope lies beside it and is checked first, so that damage (`checksum_mismatch`) and a changed or moved item
 * (`content_unreadable`) are told apart. `key_unavailable` when the tenant's key is destroyed or out of reach.
 * Never parses content; never returns a byte that did not pass every check.
 */
export function createContent(options: ContentOptions): Content {
  const { keysDir, now, wrapping = createMasterWrapping(keysDir), onKeyGone: onGone = () => undefined } = options;
  const keys = createTenantKeys({ keysDir, wrapping, now, onGone });
  const reachable = createReach(options.say ?? (() => undefined));
  const nextIv = createRandomIvs();
  const sealedCounts = createSealedCounts();
  return {
    async seal(binding, content, contentType) {
      const dataKey = await reachable(keys.forWriting(binding.tenant));
      if (dataKey === null) return keyUnavailable(binding);
      const { codec, bytes } = compress(content);
      const clear = { keyId: dataKey.keyId, codec, contentType, plainBytes: content.length };
      const crc = Buffer.allocUnsafe(CRC_BYTES);
      crc.writeUInt32BE(crc32(content));
      const iv = nextIv();
      const cipher = createCipheriv('aes-256-gcm', dataKey.key, iv).setAAD(additionalData(binding, clear));
      const sealed = [cipher.update(crc), cipher.update(bytes), cipher.final()];
      const envelope = Buffer.concat([iv, ...sealed, cipher.getAuthTag()]);
      sealedCounts.add({ type: binding.type, codec, plainBytes: content.length, storedBytes: envelope.length });
      return { ...clear, envelope: envelope.toString('base64'), envelopeCrc: crc32(envelope) };
    },
    open(binding, sealed) {
      const envelope = Buffer.from(sealed.envelope, 'base64');
      if (envelope.length < IV_BYTES + CRC_BYTES + TAG_BYTES || crc32(envelope) !== sealed.envelopeCrc) {
        return deny('checksum_mismatch', 'The stored envelope is damaged: its checksum does not match.');
      }
      if (!isKeyId(sealed.keyId)) return unreadable(binding);
      const atHand = keys.atHand(binding.tenant, sealed.keyId);
      if (atHand !== null) return openWith(atHand, binding, { ...sealed, envelope });
      return reachable(keys.forReading(binding.tenant, sealed.keyId)).then((dataKey) =>
        dataKey === null ? keyUnavailable(binding) : openWith(dataKey, binding, { ...sealed, envelope }),
      );
    },
    holdsKey: (tenant, keyId) => keys.holds(tenant, keyId),
    dropStaleKeys: () => keys.dropStale(),
    drainSealed: () => sealedCounts.drain(),
  };
}

/** Waits for a key; null when it cannot be had, whose reason operators are told. */
function createReach(say: (sentence: string) => void): (key: Promise<DataKey>) => Promise<DataKey | null> {
  return async (key) => {
    try {
      return await key;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      say(error instanceof KeyProblem ? reason : `A data key cannot be had: ${reason}`);
      return null;
    }
  };
}

type Enveloped = Omit<SealedContent, 'envelope'> & { readonly envelope: Buffer };

function openWith({ key }: DataKey, binding: ContentBinding, sealed: Enveloped): Uint8Array | Denial {
  const body = decrypt(key, sealed.envelope, additionalData(binding, sealed));
  const plain = body && decompress(sealed.codec, body.subarray(CRC_BYTES), sealed.plainBytes);
  if (!body || !plain) return unreadable(binding);
  if (crc32(plain) !== body.readUInt32BE(0)) {
    return deny('checksum_mismatch', 'The content does not match the checksum made when it was written.');
  }
  return plain;
}

function decrypt(key: KeyObject, envelope: Buffer, bound: Buffer): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, envelope.subarray(0, IV_BYTES)).setAAD(bound);
  decipher.setAuthTag(envelope.subarray(-TAG_BYTES));
  try {
    const body = decipher.update(envelope.subarray(IV_BYTES, -TAG_BYTES));
    // Checks the tag; GCM is a stream, so it holds back no byte.
    decipher.final();
    return body;
  } catch {
    return null;
  }
}

function keyUnavailable(binding: ContentBinding): Denial {
  return deny('key_unavailable', `The data key of tenant ${binding.tenant} is destroyed or out of reach.`);
}

function unreadable(binding: ContentBinding): Denial {
  return deny(
    'content_unreadable',
    `The stored item of type ${binding.type} does not decrypt as what it claims to be.`,
  );
}
