import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  /** Both as PEM, as `node:tls` takes them. */
  readonly key: string;
  readonly cert: string;
}

/** Object identifiers as DER: ecdsa-with-SHA256, commonName, subjectAltName. */
const ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * A certificate of its own issuer for one DNS name, made on the spot (X.509 v3, RFC 5280), so that no key lies in the
 * repository. `days` may be negative: it expired so many days ago.
 */
export function selfSigned(name: string, days = 30): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der(0x30, ECDSA_SHA256);
  const subject = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from(name)))));
  const altName = der(0x30, der(0x82, Buffer.from(name)));
  const extensions = der(0xa3, der(0x30, der(0x30, SUBJECT_ALT_NAME, der(0x04, altName))));
  const until = Date.now() + days * DAY_MS;
  const validity = der(0x30, time(Math.min(Date.now(), until) - DAY_MS), time(until));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const signed = der(0x30, version, serial, algorithm, subject, validity, subject, keyInfo, extensions);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  const body = der(0x30, signed, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}

/** GeneralizedTime, to the second. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(digits));
}
