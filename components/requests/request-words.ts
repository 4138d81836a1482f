import type { StagePart } from '#components/charts/stage-bar.tsx';
import type { ErrorCode } from '#gateway/contract/errors.ts';
import type { RequestRecord } from '#gateway/contract/telemetry.ts';
import { STAGES, type Stage } from '#gateway/contract/telemetry.ts';
import type { NamedKey } from '#server/contract/requests.ts';

type Asked = Pick<RequestRecord, 'type' | 'objectId' | 'edgeType' | 'code' | 'message'>;

/** What a request was about: `messages of Conversation c_1`, `Message m_81`, `Mesage (not registered) m_81`. */
export function targetWords(record: Asked): string {
  const tried = triedName(record);
  // A name that nobody registered may be of any script: it is kept from turning what stands around it.
  const named = (code: ErrorCode) =>
    tried === null || record.code !== code ? null : `\u2068${tried}\u2069 (not registered)`;
  const object = [record.type ?? named('unknown_type'), record.objectId].filter((part) => part !== null).join(' ');
  const edgeType = record.edgeType ?? named('unknown_edge_type');
  const words = edgeType === null ? object : object === '' ? edgeType : `${edgeType} of ${object}`;
  const tenant = named('unknown_tenant');
  return tenant === null ? words : `${words} of tenant ${tenant}`;
}

/**
 * The name that a request asked for and that its release does not know, as the gateway's answer quotes it: cut at 64
 * characters. The record itself keeps registered names alone.
 */
export function triedName({ code, message }: Pick<RequestRecord, 'code' | 'message'>): string | null {
  if (code === null || !NAMELESS.has(code)) return null;
  return /^No [a-z ]+ "(.*)" is registered in r\d+\.$/s.exec(message ?? '')?.[1] ?? null;
}

const NAMELESS: ReadonlySet<ErrorCode> = new Set(['unknown_type', 'unknown_edge_type', 'unknown_tenant']);

/** What became of a key that let nobody in: *revoked*, *expired*, or another reason, such as a wrong secret. */
export function namedKeyState({ revokedAtMs, expiresAtMs }: NamedKey, atMs: number): string {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= atMs ? 'expired' : 'not let in';
}

/** How the sentence of a request goes on after what was asked. */
export function endWords({ outcome }: Pick<RequestRecord, 'outcome'>): string {
  switch (outcome) {
    case 'served':
      return 'and was served';
    case 'notFound':
      return 'and nothing was there';
    case 'refused':
      return 'and was refused';
    case 'overQuota':
      return 'and was over quota';
    case 'overloaded':
      return 'and was turned away under load';
    case 'failed':
      return 'and failed';
  }
}

const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  queue: 'Waited until a worker took it',
  auth: 'Key read and checked',
  policy: 'Shape checked, access decided',
  admit: 'Quota and room reserved',
  store: 'Cosmos DB asked and answered',
  decode: 'Opened, checked, unpacked',
  write: 'Audited and sent',
};

/** The stages that ran, in the order of the pipeline. */
export function stageParts(stages: RequestRecord['stages']): readonly StagePart[] {
  return STAGES.flatMap((stage) => {
    const us = stages[stage];
    return us === undefined ? [] : [{ key: stage, label: stage, about: STAGE_WORDS[stage], us }];
  });
}
