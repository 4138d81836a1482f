import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SessionToken } from '#gateway/pipeline/store-port.ts';
import { mergeSessions } from '#gateway/store/session-tokens.ts';
import type { FleetKeys } from './fleet-keys.ts';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const MAX_ENTRIES = 16;
const MAX_LENGTH = 2_048;
/** Replies to calls side by side each come with a session of their own; a caller may carry all of them, comma between. */
const MAX_SESSIONS = 8;
const MAX_SESSIONS_LENGTH = 8_200;
/** A session is carried by many requests until a reply covers it; opening one takes longer than finding it. */
const MAX_OPENED = 1_024;
/** What is served from memory comes with the same few tokens again and again, and sealing them took longer than the rest. */
const MAX_SEALED = 1_024;

/** `Habitat-Session`: session tokens of the store, sealed, so that callers carry but cannot read or make them. */
export interface Sessions {
  /**
   * The header's value for a reply: what its request carried, and what it saw itself, so that the last reply is all that a
   * caller has to keep. Null when there is nothing to carry.
   */
  seal(seen: readonly SessionToken[], carried?: readonly SessionToken[]): string | null;
  /** The tokens, or null when the value is not one, or up to eight, of this fleet's. */
  open(value: string): readonly SessionToken[] | null;
}

const Tokens = z.array(z.tuple([z.string(), z.string(), z.string(), z.string()])).max(MAX_ENTRIES);

export function createSessions(keys: FleetKeys): Sessions {
  const opened = new Map<string, readonly SessionToken[]>();
  const sealed = new Map<string, string>();

  function openOne(value: string): readonly SessionToken[] | null {
    const known = opened.get(value);
    if (known !== undefined) return known;
    if (value.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(value)) return null;
    const tokens = openTokens(Buffer.from(value, 'base64url'), keys);
    if (opened.size >= MAX_OPENED) opened.clear();
    if (tokens !== null) opened.set(value, tokens);
    return tokens;
  }

  function sealOnce(tokens: readonly SessionToken[]): string {
    const plain = JSON.stringify(
      tokens.map(({ account, container, range, token }) => [account, container, range, token]),
    );
    const known = sealed.get(plain);
    if (known !== undefined) return known;
    const value = sealText(plain, keys);
    if (sealed.size >= MAX_SEALED) sealed.clear();
    sealed.set(plain, value);
    return value;
  }

  return {
    seal: (seen, carried = []) => {
      let kept = mergeSessions(carried, seen).slice(-MAX_ENTRIES);
      while (kept.length > 0) {
        const value = sealOnce(kept);
        if (value.length <= MAX_LENGTH) return value;
        // The oldest go first: losing one costs a caller freshness in that range, never a wrong answer.
        kept = kept.slice(1);
      }
      return null;
    },
    open: (value) => {
      if (value.length > MAX_SESSIONS_LENGTH) return null;
      const all = value.split(',').map((one) => openOne(one.trim()));
      if (all.length > MAX_SESSIONS || all.includes(null)) return null;
      return all.reduce<readonly SessionToken[]>((merged, one) => mergeSessions(merged, one ?? []), []);
    },
  };
}

function sealText(plain: string, [key]: FleetKeys): string {
  const head = Buffer.from([VERSION, key.id]);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.session, iv).setAAD(head);
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([head, iv, sealed, cipher.getAuthTag()]).toString('base64url');
}

function openTokens(bytes: Buffer, keys: FleetKeys): readonly SessionToken[] | null {
  if (bytes.length < 2 + IV_BYTES + TAG_BYTES || bytes.readUInt8(0) !== VERSION) return null;
  const head = bytes.subarray(0, 2);
  for (const key of keys.filter(({ id }) => id === head.readUInt8(1))) {
    const iv = bytes.subarray(2, 2 + IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key.session, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(head).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const sealed = bytes.subarray(2 + IV_BYTES, -TAG_BYTES);
      const plain = Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
      const tokens = Tokens.parse(JSON.parse(plain));
      return tokens.map(([account, container, range, token]) => ({ account, container, range, token }));
    } catch {
      // Not sealed by this key: another generation may have the same id.
    }
  }
  return null;
}
