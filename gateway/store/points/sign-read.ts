import { createHmac, createSecretKey } from 'node:crypto';

/** The `authorization` header of a read of `link`, an item's path without its leading slash, unescaped. */
export type SignRead = (link: string, date: string, signal: AbortSignal) => string | Promise<string>;

/** Signatures of one second that are kept: reads of objects have one, each edge has its own. */
const MAX_SIGNATURES = 1_000;

/** By the account's key: https://learn.microsoft.com/rest/api/cosmos-db/access-control-on-cosmosdb-resources */
export function signByKey(key: string): SignRead {
  const secret = createSecretKey(key, 'base64');
  const signatures = new Map<string, string>();
  let signedDate = '';
  return (link, date) => {
    if (date !== signedDate || signatures.size >= MAX_SIGNATURES) signatures.clear();
    signedDate = date;
    const known = signatures.get(link);
    if (known !== undefined) return known;
    const text = `get\ndocs\n${link}\n${date.toLowerCase()}\n\n`;
    const signature = createHmac('sha256', secret).update(text).digest('base64');
    const header = `type%3Dmaster%26ver%3D1.0%26sig%3D${encodeURIComponent(signature)}`;
    signatures.set(link, header);
    return header;
  };
}

/** By a token of Entra ID, whose escaped form is kept as long as the token is. */
export function signByToken(authorization: (signal: AbortSignal) => Promise<string>): SignRead {
  let raw = '';
  let escaped = '';
  return async (_link, _date, signal) => {
    const current = await authorization(signal);
    if (current !== raw) {
      raw = current;
      escaped = encodeURIComponent(current);
    }
    return escaped;
  };
}
