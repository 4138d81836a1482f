import { LinkButton } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { PathText } from '#components/ui/path-text.tsx';
import { Section } from '#components/ui/section.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import type { ApiOperation } from '#gateway/contract/api/api-operation.ts';
import { codesOf } from '#gateway/contract/api/api-operations.ts';
import {
  COMMON_REQUEST_HEADERS,
  PATH_PARAMETERS,
  QUERY_PARAMETERS,
  REQUEST_HEADERS,
} from '#gateway/contract/api/parameters.ts';
import { HEADERS_IN } from '#gateway/contract/data-api.ts';
import { ErrorRows } from './error-rows.tsx';
import { OperationExamples } from './operation-examples.tsx';

/** One call of the data API: what it takes and answers, its limits, commands that run, the codes that it may be refused with. */
export function OperationView({ call }: { readonly call: ApiOperation }) {
  const codes = codesOf(call);
  return (
    <>
      <PageHead
        title={<span className="font-mono">{call.id}</span>}
        state={<PathText text={`${call.method} ${call.path}`} className="text-meta" />}
        acts={<LinkButton href={`/requests?operation=${call.operation}`}>Show requests of this operation</LinkButton>}
      >
        <Sentence>{`${call.summary}. ${call.description}`}</Sentence>
      </PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 desk:grid-cols-2">
        <Section title="Examples" note="They run as printed; the answers are those of the first time">
          <OperationExamples call={call} />
        </Section>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
          <Section title="What it takes">
            <Facts facts={takenBy(call)} />
          </Section>
          <Section title="What it answers">
            <Facts
              facts={call.replies.map(({ status, says, schema }) => [String(status), `${says}${bodyWords(schema)}`])}
            />
          </Section>
          {call.limits.length > 0 && (
            <Section title="Limits">
              <ul className="grid max-w-[72ch] list-disc gap-1 pl-5">
                {call.limits.map((limit) => (
                  <li key={limit}>{limit}</li>
                ))}
              </ul>
            </Section>
          )}
        </div>
      </div>
      <Section title="What it may be refused with" note={`${codes.length} codes`} className="mt-8">
        <ErrorRows codes={codes} label={`Codes of ${call.id}`} />
      </Section>
    </>
  );
}

type Fact = readonly [name: string, says: string];

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="divide-y divide-line border-line border-y">
      {facts.map(([name, says]) => (
        <div key={name} className="grid gap-x-4 py-2 tablet:grid-cols-[12rem_minmax(0,1fr)]">
          <dt className="break-words font-mono text-meta text-ink-2">{name}</dt>
          <dd>{says}</dd>
        </div>
      ))}
    </dl>
  );
}

function takenBy({ path, query, headers, body }: ApiOperation): readonly Fact[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']): Fact => [`{${name}}`, PATH_PARAMETERS[name]?.says ?? ''],
  );
  const inQuery = query.map((name): Fact => [`?${name}=`, QUERY_PARAMETERS[name].says]);
  const inHead = [...headers, ...COMMON_REQUEST_HEADERS].flatMap((name): readonly Fact[] =>
    name === 'authorization' ? [] : [[HEADERS_IN[name], REQUEST_HEADERS[name].says]],
  );
  const inBody: readonly Fact[] =
    body === null
      ? []
      : [
          [
            'body',
            body.schema === 'content'
              ? 'The content: any bytes.'
              : `JSON, ${body.schema} of the description${body.isRequired ? '' : '; it may be left out'}.`,
          ],
        ];
  return [...inPath, ...inQuery, ...inBody, ...inHead];
}

function bodyWords(schema: ApiOperation['replies'][number]['schema']): string {
  if (schema === null) return ' No body.';
  return schema === 'content' ? '' : ` Body: ${schema}.`;
}
