import { EdgeChangeBody } from '#gateway/contract/data-api.ts';
import { deny } from '#gateway/pipeline/denial.ts';
import type { Ask, BodyAsk } from '#gateway/pipeline/request.ts';
import { parseStrictJson } from '#gateway/pipeline/strict-json.ts';

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
