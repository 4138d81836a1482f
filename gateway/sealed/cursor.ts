import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { CursorPort } from '#gateway/pipeline/work.ts';
import type { FleetKey, FleetKeys } from './fleet-keys.ts';

const VERSION = 1;
const LIFE_S = 24 * 3_600;
const QUERY_BYTES = 8;
const MAC_BYTES = 16;
/** Version, key id, expiry (seconds, big endian), query hash; then the sort string; then the MAC. */
const HEAD_BYTES = 1 + 1 + 4 + QUERY_BYTES;
const MAX_LENGTH = 200;

/**
 * The cursor of edge.list: where the last page ended, bound to its list. It holds no secret and no continuation of the
 * store; the MAC keeps callers from making their own.
 */
export function createCursors(keys: FleetKeys, nowMs: () => number): CursorPort {
  return {
    seal: (s, scope) => {
      const [key] = keys;
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt8(VERSION, 0);
      head.writeUInt8(key.id, 1);
      head.writeUInt32BE(Math.floor(nowMs() / 1_000) + LIFE_S, 2);
      queryHash(scope).copy(head, 6);
      const signed = Buffer.concat([head, Buffer.from(s, 'utf8')]);
      return Buffer.concat([signed, mac(key, signed)]).toString('base64url');
    },
    open: (cursor, scope) => {
      if (cursor.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.length <= HEAD_BYTES + MAC_BYTES || bytes.readUInt8(0) !== VERSION) return null;
      const signed = bytes.subarray(0, -MAC_BYTES);
      const claimed = bytes.subarray(-MAC_BYTES);
      const isOurs = keys.some((key) => key.id === signed.readUInt8(1) && timingSafeEqual(mac(key, signed), claimed));
      if (!isOurs || signed.readUInt32BE(2) * 1_000 <= nowMs()) return null;
      if (!signed.subarray(6, HEAD_BYTES).equals(queryHash(scope))) return null;
      return signed.toString('utf8', HEAD_BYTES);
    },
  };
}

function queryHash(scope: string): Buffer {
  return createHash('sha256').update(scope).digest().subarray(0, QUERY_BYTES);
}

function mac(key: FleetKey, signed: Buffer): Buffer {
  return createHmac('sha256', key.cursor).update(signed).digest().subarray(0, MAC_BYTES);
}
