import { formatUs } from '#components/charts/duration-axis.ts';
import { SIDE_WORDS } from '#components/errors/side-words.ts';
import { formatRu } from '#components/ui/format-number.ts';
import { Sentence } from '#components/ui/sentence.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import { ERRORS } from '#gateway/contract/errors.ts';
import type { RequestRecord } from '#gateway/contract/telemetry.ts';
import type { RequestDetail } from '#server/contract/requests.ts';
import { CallerWords } from './caller.tsx';
import { endWords, triedName } from './request-words.ts';

/** Who asked for what, how it ended, whose side that is, and what to do. */
export function RequestSentence({ detail }: { readonly detail: RequestDetail }) {
  const { record } = detail;
  return (
    <>
      <Sentence>
        <CallerWords record={record} /> asked for{' '}
        <span className="font-mono text-[0.9375em]">{record.operation ?? 'something unreadable'}</span>
        <Target record={record} />{' '}
        <b>
          {endWords(record)} in {formatUs(record.durationUs)}
        </b>{' '}
        for {formatRu(record.ru)}, at <Time ms={record.atMs} style="ms" /> on <Time ms={record.atMs} style="date" />.
      </Sentence>
      {record.code !== null && (
        <Sentence size="prose" className="text-ink-2">
          {record.message !== null && <>“{record.message}” </>}
          {`It is on the side of ${SIDE_WORDS[ERRORS[record.code].side]}.`} {detail.advice}{' '}
          <TextLink href={`/errors/${record.code}`} prefetch={false} className="font-mono">
            {record.code}
          </TextLink>
        </Sentence>
      )}
    </>
  );
}

function Target({ record }: { readonly record: RequestRecord }) {
  const { code, type, edgeType, objectId, tenant } = record;
  const tried = triedName(record);
  return (
    <>
      {edgeType !== null && (
        <>
          {' '}
          <Token kind="edge" href={`/types/${encodeURIComponent(edgeType)}`}>
            {edgeType}
          </Token>{' '}
          of
        </>
      )}
      {code === 'unknown_edge_type' && tried !== null && (
        <>
          <Unregistered name={tried} /> of
        </>
      )}
      {code === 'unknown_type' && tried !== null && <Unregistered name={tried} />}
      {type !== null && (
        <>
          {' '}
          <Token kind="object" href={`/types/${encodeURIComponent(type)}`}>
            {type}
          </Token>
        </>
      )}
      {objectId !== null && (
        <>
          {' '}
          <bdi className="wrap-anywhere font-mono text-[0.9375em]">{objectId}</bdi>
        </>
      )}
      {tenant !== null && (
        <>
          {' '}
          of{' '}
          <Token kind="tenant" href={`/tenants/${encodeURIComponent(tenant)}`}>
            {tenant}
          </Token>
        </>
      )}
      {code === 'unknown_tenant' && tried !== null && (
        <>
          {' '}
          of
          <Unregistered name={tried} />
        </>
      )}
    </>
  );
}

/** A name that no release had, as it was sent: it may be mistyped. */
function Unregistered({ name }: { readonly name: string }) {
  return (
    <>
      {' '}
      <bdi className="wrap-anywhere font-mono text-[0.9375em]">{name}</bdi> (not registered)
    </>
  );
}
