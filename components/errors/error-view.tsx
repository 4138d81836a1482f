import { LinkButton } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { API_OPERATIONS, codesOf } from '#gateway/contract/api/api-operations.ts';
import { ERRORS, type ErrorCode, type Outcome, type Side } from '#gateway/contract/errors.ts';
import { SIDE_WORDS } from './side-words.ts';

const COUNTED_AS: Readonly<Record<Outcome, string>> = {
  served: 'served',
  notFound: 'not found',
  refused: 'refused',
  overQuota: 'over quota',
  overloaded: 'overloaded',
  failed: 'failed',
};

/** One code of the gateway: whose side, whether it may be repeated, what to do, and the requests that got it. */
export function ErrorView({ code }: { readonly code: ErrorCode }) {
  const error = ERRORS[code];
  const others = (Object.keys(ERRORS) as ErrorCode[]).filter(
    (other) => other !== code && ERRORS[other].side === error.side,
  );
  const calls = API_OPERATIONS.filter((call) => codesOf(call).includes(code));
  return (
    <>
      <PageHead
        title={<span className="font-mono">{code}</span>}
        state={`HTTP ${error.status}`}
        acts={<LinkButton href={`/requests?code=${code}`}>Show requests with this code</LinkButton>}
      >
        <Sentence>
          {sideSentence(error.side)} {error.advice}
        </Sentence>
      </PageHead>
      <dl className="max-w-2xl divide-y divide-line border-line border-y">
        <Fact name="Repeat it?">
          {error.retryable
            ? 'Yes: the same request may pass later. Wait as Retry-After says.'
            : 'Not unchanged: the answer would be the same.'}
        </Fact>
        <Fact name="Charts count it as">{COUNTED_AS[error.outcome]}</Fact>
        <Fact name="Who may get it">
          {calls.length === 0
            ? 'an operation within a batch, or what is no operation'
            : calls.map(({ id }, at) => (
                <span key={id}>
                  {at > 0 && ' · '}
                  <TextLink href={`/errors/operations/${id}`} prefetch={false} className="font-mono">
                    {id}
                  </TextLink>
                </span>
              ))}
        </Fact>
        <Fact name={`Also on the side of ${SIDE_WORDS[error.side]}`}>
          {others.length === 0
            ? 'no other code'
            : others.map((other, at) => (
                <span key={other}>
                  {at > 0 && ' · '}
                  <TextLink href={`/errors/${other}`} prefetch={false} className="font-mono">
                    {other}
                  </TextLink>
                </span>
              ))}
        </Fact>
      </dl>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="grid gap-x-4 py-2 tablet:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-ink-3">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function sideSentence(side: Side): string {
  switch (side) {
    case 'caller':
      return 'The request itself is the reason.';
    case 'policy':
      return 'Policy did not permit the request; nothing was read or written.';
    case 'quota':
      return 'The tenant’s quota was spent; nothing was read or written.';
    case 'habitat':
      return 'Habitat itself could not serve the request.';
    case 'store':
      return 'The store behind Habitat is the reason.';
  }
}
