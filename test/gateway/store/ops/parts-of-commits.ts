import type { CommitPart, EdgeRule } from '#gateway/pipeline/store-port.ts';
import { idOf } from '#test/gateway/store/store-fixture.ts';

export function putObject(
  text: string,
  precondition = { ifMatch: null as number | null, ifAbsent: false },
): CommitPart {
  return { operation: 'object.put', content: Buffer.from(text), contentType: 'text/plain', precondition };
}

export function putEdge(rule: EdgeRule, toId: string, timeMs = 1, data: string | null = null): CommitPart {
  const bytes = data === null ? null : Buffer.from(data);
  return { operation: 'edge.put', rule, toId: idOf(toId), timeMs, data: bytes };
}

export const deleteEdge = (rule: EdgeRule, toId: string): CommitPart => ({
  operation: 'edge.delete',
  rule,
  toId: idOf(toId),
});

export const changeType = (rule: EdgeRule, toId: string, to: EdgeRule): CommitPart => ({
  ...{ operation: 'edge.changeType', rule, toId: idOf(toId) },
  to: { rule: to, dataMaxBytes: 1_024 },
});
