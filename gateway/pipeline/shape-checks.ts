import { utf8Bytes } from '#gateway/contract/ids.ts';
import type { Grant } from './authorize.ts';
import { type Denial, deny } from './denial.ts';
import type { EdgeTypeEntry } from './indexes.ts';
import type { Idempotency } from './store-port.ts';
import type { ShapePorts } from './work.ts';

interface Context {
  readonly grant: Grant;
  readonly ports: ShapePorts;
}

/** A refusal when an object's content has more bytes than its type takes. */
export function contentTooLarge(bytes: number, { grant }: Pick<Context, 'grant'>): Denial | null {
  const { maxBytes, name } = grant.objectType;
  if (bytes <= maxBytes) return null;
  const message = `A ${name} has at most ${maxBytes} bytes; this one has ${bytes}.`;
  return deny('content_too_large', message, { details: { maxBytes, bytes } });
}

/** A refusal when content does not fit its type's schema. Its bytes are only read: what is stored is what came. */
export function contentRejected(content: Uint8Array, { grant, ports }: Context): Denial | null {
  const { contentRule, name } = grant.objectType;
  const misfit = contentRule?.check(content) ?? null;
  if (contentRule === null || misfit === null) return null;
  ports.noteMisfit(misfit);
  if (contentRule.mode === 'warn') return null;
  const where = misfit.path === '' ? 'it' : misfit.path;
  const message = `The content does not fit the schema of ${name}: ${where} ${misfit.reason}.`;
  return deny('content_rejected', message, { details: { ...misfit } });
}

/** An edge's data as it is stored. */
export function edgeData(text: string | undefined, edge: EdgeTypeEntry): Uint8Array | null | Denial {
  if (text === undefined) return null;
  const data = new TextEncoder().encode(text);
  if (data.length <= edge.dataMaxBytes) return data;
  const message = `The data of ${edge.name} has at most ${edge.dataMaxBytes} bytes; this has ${data.length}.`;
  return deny('content_too_large', message, { details: { maxBytes: edge.dataMaxBytes, bytes: data.length } });
}

/** A refusal when an edge of one type cannot become one of the other. Both start at the same object type. */
export function changeRefused(edge: EdgeTypeEntry, to: EdgeTypeEntry): Denial | null {
  const [was, is] = [edge.rule, to.rule];
  if (edge === to) return deny('malformed_request', `The edge is to become ${to.name}, the type it has.`);
  const details = { edgeType: edge.name, to: to.name, endsAt: [was.to, is.to] };
  if (was.to !== is.to) {
    const message = `${edge.name} ends at ${was.to} and ${to.name} at ${is.to}; an edge keeps its ends.`;
    return deny('edge_type_mismatch', message, { details });
  }
  if ((was.derivedFrom === null) === (is.derivedFrom === null)) return null;
  const message = `One of ${edge.name} and ${to.name} is an inverse: they are written in different objects.`;
  return deny('edge_type_mismatch', message, { details });
}

/** Keys of two principals never meet: the record is kept by principal and key. */
export function idempotencyOf({ grant, ports }: Context, body: Uint8Array | null): Idempotency | null {
  const { idempotencyKey, fingerprint } = grant.call;
  if (idempotencyKey === null) return null;
  const requestSha256 = ports.sha256Hex([`${utf8Bytes(fingerprint)}:`, fingerprint, body ?? '']);
  return { principal: grant.key.principal.name, key: idempotencyKey, requestSha256 };
}
