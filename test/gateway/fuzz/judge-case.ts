import { BatchResults } from '#gateway/contract/data-api.ts';
import { ERRORS, ErrorBody } from '#gateway/contract/errors.ts';
import { type OpenApiDocument, operationAt } from '#test/gateway/contract/api/described.ts';
import { type FuzzCase, TENANTS, type Tenant } from './fuzz-case.ts';
import type { RawReply } from './read-replies.ts';
import type { Sent } from './send-case.ts';

export interface Judging {
  readonly document: OpenApiDocument;
  /** What stands in everything that a tenant stores, and in nothing that is sent. */
  readonly marks: Readonly<Record<Tenant, string>>;
}

/** What Node itself answers before anything of ours sees the request, without a body. */
const BARE = new Set([400, 417]);
const PLAIN = /^\/(healthz|readyz|metrics|v1\/openapi\.json)$/;

/** What is wrong with what came back, a sentence each. */
export function judgeCase(one: FuzzCase, sent: Sent, judging: Judging): readonly string[] {
  const found = sent.replies.flatMap((reply) => judgeReply(one, reply, judging));
  for (const tenant of TENANTS) {
    if (tenant === one.as || !sent.bytes.includes(judging.marks[tenant])) continue;
    found.push(`what ${tenant} stored came back to ${one.as ?? 'nobody'}`);
  }
  if (sent.problem !== null) found.push(sent.problem);
  return found;
}

function judgeReply(one: FuzzCase, reply: RawReply, judging: Judging): string[] {
  if (reply.status < 400) return judgeServed(one, reply);
  if (reply.body.length === 0) {
    return BARE.has(reply.status) || one.whole?.method === 'HEAD' ? [] : [`${reply.status} without a body`];
  }
  const { error } = ErrorBody.safeParse(jsonOf(reply.body)).data ?? {};
  if (error === undefined) return [`${reply.status} whose body is no refusal: ${reply.body.toString().slice(0, 200)}`];
  const found: string[] = [];
  if (ERRORS[error.code].status !== reply.status) found.push(`${error.code} with status ${reply.status}`);
  if (reply.status === 500) found.push(`${error.code}: ${error.message}`);
  if (!error.help.endsWith(`/requests/${error.requestId}?code=${error.code}`))
    found.push(`help leads to ${error.help}`);
  if (reply.headers.get('habitat-request-id') !== error.requestId) found.push('two request ids');
  return [...found, ...judgeCode(one, error.code, judging)];
}

/** What is described says which codes it is refused with. */
function judgeCode({ whole }: FuzzCase, code: keyof typeof ERRORS, { document }: Judging): string[] {
  if (whole === null || code === 'unsupported_operation') return [];
  const [path = ''] = whole.target.split('?');
  const at = operationAt(document, whole.method, path);
  const described = at?.operation.responses[ERRORS[code].status]?.description.split(', ');
  return at === undefined || described?.includes(code)
    ? []
    : [`${at.method} ${at.path} does not say that it may be refused with ${code}`];
}

function judgeServed(one: FuzzCase, { status, body }: RawReply): string[] {
  if (one.whole !== null && PLAIN.test(one.whole.target)) return [];
  if (one.as === null) return [`${status} without a key`];
  if (one.family !== "other's things") return [];
  const results = BatchResults.safeParse(jsonOf(body)).data?.results;
  if (results?.every((result) => result.status >= 400)) return [];
  return [`${status} for what is the other tenant's`];
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
