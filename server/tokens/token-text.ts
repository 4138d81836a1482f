import 'server-only';
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { TOKEN_PATTERN, TOKEN_PREFIX } from '#server/contract/tokens.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
/** 190 bits. */
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

export interface NewToken {
  readonly id: string;
  /** The whole token: shown once, stored nowhere. */
  readonly text: string;
  readonly secretSha256: string;
}

export function newToken(): NewToken {
  const id = randomText(ID_LENGTH);
  const unsealed = `${TOKEN_PREFIX}${id}${randomText(SECRET_LENGTH)}`;
  const text = unsealed + checksumOf(unsealed);
  return { id, text, secretSha256: hashOfToken(text) };
}

/** The id of a token whose checksum is right; null for anything else, which then costs no look-up. */
export function idOfToken(text: string): string | null {
  if (!TOKEN_PATTERN.test(text)) return null;
  const unsealed = text.slice(0, -CHECKSUM_LENGTH);
  if (checksumOf(unsealed) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return text.slice(TOKEN_PREFIX.length, TOKEN_PREFIX.length + ID_LENGTH);
}

/** SHA-256 of the whole token, hex. It has 190 random bits, so no slower hash is needed. */
export function hashOfToken(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** CRC-32 in base 62, as GitHub does it: a scanner tells a token from chance without asking anybody. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
