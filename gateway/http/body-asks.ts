import {
  CommitBody,
  CommitOperation,
  EdgeChangeBody,
  MAX_BATCH_BYTES,
  MAX_COMMIT_ITEMS,
} from '#gateway/contract/data-api.ts';
import { type Denial, deny, denyOperation, isDenial } from '#gateway/pipeline/denial.ts';
import type { Ask, BodyAsk, CommitAsk, PartAsk } from '#gateway/pipeline/request.ts';
import { parseStrictJson } from '#gateway/pipeline/strict-json.ts';
import { jsonSlices } from './batch-slices.ts';
import { readConditions, readContent, readId } from './operation-fields.ts';

/** An escaped character takes six bytes of JSON, and the name of an edge type has at most 48. */
const MAX_CHANGE_BYTES = 512;

type ChangeAsk = Extract<Ask, { readonly operation: 'edge.changeType' }>;

/** A change of an edge's type, whose body says to which. */
export function changeAsk(edge: Omit<ChangeAsk, 'operation' | 'to'>): BodyAsk {
  return {
    operation: 'body',
    maxBytes: MAX_CHANGE_BYTES,
    read: (bytes) => {
      const json = parseStrictJson(bytes);
      if (!json.ok) return deny('malformed_request', json.problem);
      const body = EdgeChangeBody.safeParse(json.value);
      if (!body.success) return deny('malformed_request', 'The body is {"to": the edge type that the edge gets}.');
      return { ...edge, operation: 'edge.changeType', to: body.data.to };
    },
  };
}

/** A commit, whose body lists its operations. One that does not fit refuses them all, and is named. */
export function commitAsk(object: Omit<CommitAsk, 'operation' | 'parts'>): BodyAsk {
  return {
    operation: 'body',
    maxBytes: MAX_BATCH_BYTES,
    read: (bytes) => {
      const json = parseStrictJson(bytes);
      if (!json.ok) return deny('malformed_request', json.problem);
      const body = CommitBody.safeParse(json.value);
      if (!body.success) {
        const says = `The body of a commit is {"operations": […]} with 1 to ${MAX_COMMIT_ITEMS} operations.`;
        return deny('malformed_request', says);
      }
      const slices = jsonSlices(json.text);
      const parts: PartAsk[] = [];
      for (const [operation, raw] of body.data.operations.entries()) {
        const part = readPart(raw, slices[operation] ?? null);
        if (isDenial(part)) return denyOperation(operation, part);
        parts.push(part);
      }
      return { ...object, operation: 'commit', parts };
    },
  };
}

function readPart(raw: unknown, json: string | null): PartAsk | Denial {
  const read = CommitOperation.safeParse(raw);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.length ? ` at "${issue.path.join('.')}"` : '';
    return deny('malformed_request', `The operation does not fit${where}: ${issue?.message ?? 'see the API'}.`);
  }
  const { data: fields } = read;
  if (fields.op === 'object.put') {
    const content = readContent(fields, json);
    if (isDenial(content)) return content;
    const conditions = readConditions(fields);
    if (isDenial(conditions)) return conditions;
    return { operation: fields.op, content: content.bytes, contentType: content.contentType, ...conditions };
  }
  const toId = readId(fields.toId);
  if (isDenial(toId)) return toId;
  const edge = { edgeType: fields.edgeType, toId };
  switch (fields.op) {
    case 'edge.put':
      return { ...edge, operation: fields.op, timeMs: fields.time ?? null, data: fields.data };
    case 'edge.delete':
      return { ...edge, operation: fields.op };
    case 'edge.changeType':
      return { ...edge, operation: fields.op, to: fields.to };
  }
}
