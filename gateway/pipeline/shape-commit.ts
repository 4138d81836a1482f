import { MAX_COMMIT_BYTES, MAX_COMMIT_ITEMS } from '#gateway/contract/data-api.ts';
import type { Grant } from './authorize.ts';
import { type Denial, deny, denyOperation, isDenial } from './denial.ts';
import type { EdgeTypeEntry } from './indexes.ts';
import type { CommitAsk, PartAsk } from './request.ts';
import { edgeNamed } from './resolve.ts';
import { changeRefused, contentRejected, contentTooLarge, edgeData, idempotencyOf } from './shape-checks.ts';
import type { CommitPart } from './store-port.ts';
import type { ShapePorts, Work } from './work.ts';

/** What a batch of 100 operations has left beside the idempotency record and the head. */
const MOST_WITH_OUTBOXES = 98;

interface Context {
  readonly grant: Grant;
  readonly ports: ShapePorts;
}

/**
 * Bounds a commit: how many items it touches, and each part as the operation alone would be.
 * Refuses with `malformed_request`, `request_too_large`, `content_too_large`, `content_rejected`, `edge_type_mismatch`.
 */
export function shapeCommit(ask: CommitAsk, context: Context): Extract<Work, { operation: 'commit' }> | Denial {
  const parts: CommitPart[] = [];
  for (const [operation, part] of ask.parts.entries()) {
    const shaped = shapePart(part, context);
    if (isDenial(shaped)) return denyOperation(operation, shaped);
    parts.push(shaped);
  }
  const refusal = beyondBounds(parts);
  if (refusal !== null) return refusal;
  return { operation: 'commit', parts, idempotency: idempotencyOf(context, null) };
}

function shapePart(part: PartAsk, context: Context): CommitPart | Denial {
  if (part.operation === 'object.put') {
    const { operation, content, contentType, ifMatch, ifAbsent } = part;
    const refusal = contentTooLarge(content.length, context) ?? contentRejected(content, context);
    return refusal ?? { operation, content, contentType, precondition: { ifMatch, ifAbsent } };
  }
  const edge = edgeNamed(context.grant, part.edgeType);
  const elsewhere = writtenElsewhere(edge);
  if (elsewhere !== null) return elsewhere;
  const { operation, toId } = part;
  const { rule } = edge;
  switch (operation) {
    case 'edge.delete':
      return { operation, rule, toId };
    case 'edge.put': {
      const data = edgeData(part.data, edge);
      return isDenial(data) ? data : { operation, rule, toId, timeMs: part.timeMs ?? context.ports.nowMs, data };
    }
    case 'edge.changeType': {
      const to = edgeNamed(context.grant, part.to);
      return changeRefused(edge, to) ?? { operation, rule, toId, to: { rule: to.rule, dataMaxBytes: to.dataMaxBytes } };
    }
  }
}

/** An inverse edge is written with its forward edge, in the object at its other end. */
function writtenElsewhere({ name, rule }: EdgeTypeEntry): Denial | null {
  if (rule.derivedFrom === null) return null;
  const message = `${name} is the inverse of ${rule.derivedFrom}, whose edges start at ${rule.to}: commit there.`;
  return deny('edge_type_mismatch', message, { details: { edgeType: name, inverseOf: rule.derivedFrom } });
}

function beyondBounds(parts: readonly CommitPart[]): Denial | null {
  const puts = parts.filter((part) => part.operation === 'object.put');
  if (puts.length > 1) return deny('malformed_request', 'A commit puts its object at most once.');
  const edges = new Set<string>();
  const mirrored = new Set<string>();
  for (const part of parts) {
    if (part.operation === 'object.put') continue;
    const rules = part.operation === 'edge.changeType' ? [part.rule, part.to.rule] : [part.rule];
    for (const { edgeType, cardinality, inverse } of rules) {
      edges.add(JSON.stringify(cardinality === 'one' ? [edgeType] : [edgeType, part.toId]));
      if (inverse !== null) mirrored.add(edgeType);
    }
  }
  const items = puts.length + edges.size;
  const mostItems = Math.min(MAX_COMMIT_ITEMS, MOST_WITH_OUTBOXES - mirrored.size);
  if (items > mostItems) {
    const message = `The commit touches ${items} items; with ${mirrored.size} mirrored edge types one touches at most ${mostItems}.`;
    return deny('request_too_large', message, { details: { items, mostItems } });
  }
  const bytes = parts.reduce((sum, part) => sum + contentBytes(part), 0);
  if (bytes <= MAX_COMMIT_BYTES) return null;
  const message = `The contents of the commit have ${bytes} bytes; one takes at most ${MAX_COMMIT_BYTES}.`;
  return deny('request_too_large', message, { details: { bytes, maxBytes: MAX_COMMIT_BYTES } });
}

function contentBytes(part: CommitPart): number {
  if (part.operation === 'object.put') return part.content.length;
  return part.operation === 'edge.put' ? (part.data?.length ?? 0) : 0;
}
