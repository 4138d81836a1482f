import { ERRORS, ErrorBody, type ErrorCode } from '../errors.ts';

interface Said {
  readonly message: string;
  readonly retryAfterMs?: number;
  readonly policy?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What a gateway said when it refused with each code. */
const SAID: Readonly<Record<ErrorCode, Said>> = {
  malformed_request: {
    message: 'Unknown query parameter "limt". This operation takes limit, cursor, pos, after, before.',
  },
  request_too_large: { message: 'An object has at most 1400000 bytes; this one has 1400001.' },
  response_too_large: { message: 'The reply of the batch already holds 16 MB; read this one by itself.' },
  unauthenticated: { message: 'The key is unknown or revoked.' },
  unknown_tenant: { message: 'No tenant "chta" is registered in r42.' },
  unknown_type: { message: 'No object type "Mesage" is registered in r42.' },
  unknown_edge_type: { message: 'No edge type "mesages" is registered in r42.' },
  type_deprecated: {
    message: 'Note is deprecated since 2026-03-01 and no longer served. Instead: Use Message',
    details: { type: 'Note', since: '2026-03-01', sunset: '2026-06-01', replacement: 'Use Message' },
  },
  edge_type_mismatch: {
    message: 'messages goes from Conversation to Message; it cannot start at Message.',
    details: { edgeType: 'messages', from: 'Conversation', to: 'Message', startsAt: 'Message' },
  },
  forbidden: {
    message:
      'search (service principal of tenant search) may not object.read on Message in tenant chat: policy no-search forbids it.',
    policy: 'no-search',
  },
  quota_exceeded: {
    message: 'Tenant chat spent its quota of 1000 reads a second on this gateway.',
    retryAfterMs: 120,
    details: { dimension: 'reads', limit: 1_000 },
  },
  overloaded: { message: 'This gateway worker runs late.', retryAfterMs: 1_000 },
  object_not_found: { message: 'No Message is stored under this id.' },
  edge_not_found: { message: 'There is no messages edge to this id.' },
  version_conflict: { message: 'The object does not exist.' },
  already_exists: { message: 'The object exists.' },
  idempotency_conflict: { message: 'This Idempotency-Key was used for another request.' },
  delete_in_progress: { message: 'The object is being deleted with its edges.' },
  write_contended: { message: 'Other writes to this object kept getting in between.' },
  invalid_cursor: { message: 'The cursor expired, or belongs to another list.' },
  limit_exceeded: { message: 'The object and its edges fill the 20 GB that Cosmos DB keeps together.' },
  content_too_large: {
    message: 'A Message has at most 100000 bytes; this one has 100001.',
    details: { maxBytes: 100_000, bytes: 100_001 },
  },
  content_rejected: {
    message: 'The content does not fit the schema of Message: /text is missing.',
    details: { path: '/text', reason: 'is missing' },
  },
  key_unavailable: { message: 'The data key of tenant chat is destroyed or out of reach.' },
  content_unreadable: { message: 'The stored item of type Message does not decrypt as what it claims to be.' },
  checksum_mismatch: { message: 'The content does not match the checksum made when it was written.' },
  store_throttled: { message: 'Cosmos DB throttles this partition.', retryAfterMs: 250 },
  store_unavailable: { message: 'Cosmos DB cannot be reached.' },
  deadline_exceeded: { message: 'The deadline passed before the store answered.' },
  outcome_unknown: { message: 'The write may have happened; its outcome could not be learnt.' },
  release_unavailable: { message: 'This gateway has no release yet.' },
  unsupported_operation: {
    message: 'There are no queries. Read an object by its id, or list the edges of one object and loop in your code.',
  },
  internal: { message: 'Something went wrong inside the gateway.' },
};

/** Request id of every example. */
const REQUEST_ID = '01KBA7Z3P9QW6T2M4X8RVD5NCH';

/** The body of a refusal with this code. */
export function errorExampleOf(code: ErrorCode): ErrorBody {
  const help = `https://console.example.com/requests/${REQUEST_ID}?code=${code}`;
  const { retryable } = ERRORS[code];
  return ErrorBody.parse({ error: { code, requestId: REQUEST_ID, retryable, help, ...SAID[code] } });
}
