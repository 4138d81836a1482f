import { z } from 'zod';

/** Whose side a refusal is on: the caller's request, its rights or budget, Habitat itself, or the store behind it. */
export type Side = 'caller' | 'policy' | 'quota' | 'habitat' | 'store';

interface ErrorEntry {
  readonly status: number;
  readonly retryable: boolean;
  readonly side: Side;
  /** Which outcome class of telemetry a reply with this code counts as. */
  readonly outcome: Outcome;
  /** One sentence for the person who reads it: what to do. */
  readonly advice: string;
}

/** Outcome classes of one request, in the order in which charts stack them. 304 counts as served. */
export const OUTCOMES = ['served', 'notFound', 'refused', 'overQuota', 'overloaded', 'failed'] as const;
export const Outcome = z.enum(OUTCOMES);
export type Outcome = z.infer<typeof Outcome>;

const entry = (status: number, retryable: boolean, side: Side, outcome: Outcome, advice: string): ErrorEntry => ({
  status,
  retryable,
  side,
  outcome,
  advice,
});

/** The one table of gateway error codes. A code without a row cannot exist: `ErrorCode` is its key type. */
export const ERRORS = {
  malformed_request: entry(400, false, 'caller', 'refused', 'Correct the request as the message says.'),
  request_too_large: entry(413, false, 'caller', 'refused', 'Send a smaller request.'),
  response_too_large: entry(422, false, 'caller', 'refused', 'Ask for fewer items.'),
  unauthenticated: entry(401, false, 'caller', 'refused', 'Send a live key as a bearer token.'),
  unknown_tenant: entry(404, false, 'caller', 'refused', 'Check the tenant in the path; register it in the console.'),
  unknown_type: entry(404, false, 'caller', 'refused', 'Register the object type in the console and publish it.'),
  unknown_edge_type: entry(404, false, 'caller', 'refused', 'Register the edge type in the console and publish it.'),
  type_deprecated: entry(
    410,
    false,
    'caller',
    'refused',
    'Use what the message names instead; ask the team that owns the type.',
  ),
  edge_type_mismatch: entry(422, false, 'caller', 'refused', 'Use an edge type whose ends are these object types.'),
  forbidden: entry(
    403,
    false,
    'policy',
    'refused',
    'Where a policy forbids it, the error names it: ask its owner. Else nothing permits it: draft a grant in the console.',
  ),
  quota_exceeded: entry(
    429,
    true,
    'quota',
    'overQuota',
    "Wait as Retry-After says, or ask an operator to raise the tenant's quota.",
  ),
  overloaded: entry(503, true, 'habitat', 'overloaded', 'Wait as Retry-After says and try again.'),
  object_not_found: entry(404, false, 'caller', 'notFound', 'Nothing is stored under this id.'),
  edge_not_found: entry(404, false, 'caller', 'notFound', 'These two objects have no edge of this type.'),
  version_conflict: entry(412, false, 'caller', 'refused', 'Read the object again and repeat with its version.'),
  already_exists: entry(412, false, 'caller', 'refused', 'The object exists; drop If-None-Match to replace it.'),
  idempotency_conflict: entry(409, false, 'caller', 'refused', 'Use a new Idempotency-Key for another request.'),
  delete_in_progress: entry(409, true, 'caller', 'refused', 'Wait until the object and its edges are deleted.'),
  write_contended: entry(409, true, 'store', 'failed', 'Many writes met on this object; try again later.'),
  invalid_cursor: entry(400, false, 'caller', 'refused', 'Start the list again without the cursor.'),
  limit_exceeded: entry(
    422,
    false,
    'caller',
    'refused',
    'Delete edges: the object has as many, or fills as much space, as one may.',
  ),
  content_too_large: entry(413, false, 'caller', 'refused', "Store less, or raise the type's maxBytes in a change."),
  content_rejected: entry(
    422,
    false,
    'caller',
    'refused',
    "Correct the content: the message says where it does not fit the type's schema.",
  ),
  key_unavailable: entry(503, false, 'habitat', 'failed', "The tenant's data key is destroyed or out of reach."),
  content_unreadable: entry(
    500,
    false,
    'store',
    'failed',
    'The stored item does not decrypt as what it claims to be; tell an operator.',
  ),
  checksum_mismatch: entry(500, false, 'store', 'failed', 'The stored bytes are damaged; tell an operator.'),
  store_throttled: entry(
    503,
    true,
    'store',
    'failed',
    'Cosmos DB throttled the partition; try again as Retry-After says.',
  ),
  store_unavailable: entry(503, true, 'store', 'failed', 'Cosmos DB cannot be reached; try again.'),
  deadline_exceeded: entry(
    504,
    true,
    'caller',
    'failed',
    'Nothing was written; raise Habitat-Deadline-Ms or try again.',
  ),
  outcome_unknown: entry(
    504,
    true,
    'store',
    'failed',
    'The write may have happened; repeat it with the same Idempotency-Key.',
  ),
  release_unavailable: entry(
    503,
    true,
    'habitat',
    'failed',
    'The gateway has no release yet; it denies everything until it has one.',
  ),
  unsupported_operation: entry(
    404,
    false,
    'caller',
    'refused',
    'One call touches the direct edges of one object; loop in your code.',
  ),
  internal: entry(500, false, 'habitat', 'failed', 'Tell an operator the request id.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
export const ErrorCode = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);

/** The body of every refusal. `help` is the URL of the console's page for that request, with its code. */
export const ErrorBody = z.object({
  error: z.object({
    code: ErrorCode,
    message: z.string(),
    requestId: z.string(),
    retryable: z.boolean(),
    retryAfterMs: z.int().optional(),
    policy: z.string().optional(),
    help: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
