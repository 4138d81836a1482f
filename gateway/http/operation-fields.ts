import { ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { PutPrecondition } from '#gateway/pipeline/store-port.ts';
import { readRevision } from './headers.ts';

/** Content that stands in the body of a batch or a commit. */
export interface GivenContent {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

interface ContentFields {
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
  readonly contentType?: string | undefined;
}

/** `json` is the member of that name exactly as written; null when there is none. Refuses with `malformed_request`. */
export function readContent({ text, base64, contentType }: ContentFields, json: string | null): GivenContent | Denial {
  const given = [json, text, base64].filter((one) => one != null);
  if (given.length !== 1) {
    return deny('malformed_request', 'Content is exactly one of "json", "text" and "base64".');
  }
  if (json !== null) return { bytes: Buffer.from(json), contentType: contentType ?? 'application/json' };
  if (text !== undefined) return { bytes: Buffer.from(text), contentType: contentType ?? 'text/plain; charset=utf-8' };
  return { bytes: Buffer.from(base64 ?? '', 'base64'), contentType: contentType ?? 'application/octet-stream' };
}

/** Refuses with `malformed_request`. */
export function readConditions(fields: {
  readonly ifMatch?: string | undefined;
  readonly ifAbsent?: boolean | undefined;
}): PutPrecondition | Denial {
  const ifMatch = readRevision(fields.ifMatch);
  if (isDenial(ifMatch)) return ifMatch;
  const ifAbsent = fields.ifAbsent ?? false;
  if (!ifAbsent || ifMatch === null) return { ifMatch, ifAbsent };
  return deny('malformed_request', '"ifMatch" and "ifAbsent" exclude each other.');
}

/** Ids that need no closer look; `.` and `..` do. */
const PLAIN_ID = /^(?!\.\.?$)[A-Za-z0-9._-]{1,255}$/;

/** Refuses with `malformed_request`. */
export function readId(text: string): ObjectId | Denial {
  if (PLAIN_ID.test(text)) return text as ObjectId;
  const id = ObjectId.safeParse(text);
  return id.success ? id.data : deny('malformed_request', id.error.issues[0]?.message ?? 'The id does not fit.');
}
