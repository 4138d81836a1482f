import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { ListedRequest } from '#server/contract/requests.ts';
import { namedKeyState } from './request-words.ts';

/** Who asked, at the beginning of the request's sentence. */
export function CallerWords({ record }: { readonly record: ListedRequest }) {
  const { principal, namedKey } = record;
  if (principal !== null) return <PrincipalToken name={principal} />;
  if (namedKey === null) return 'An unknown caller';
  const state = namedKeyState(namedKey, record.atMs);
  return (
    <>
      A caller that named the key <span className="font-mono text-[0.9375em]">hk_{namedKey.id}</span> of{' '}
      <PrincipalToken name={namedKey.principal} /> ({state}
      {namedKey.revokedAtMs !== null && (
        <>
          {' '}
          <Time ms={namedKey.revokedAtMs} style="full" />
        </>
      )}
      )
    </>
  );
}

/** Who asked, in a list. */
export function CallerCell({ record }: { readonly record: ListedRequest }) {
  const { principal, namedKey } = record;
  if (principal !== null) return <PrincipalToken name={principal} bare />;
  if (namedKey === null) return <span className="whitespace-nowrap text-ink-3">unknown caller</span>;
  return (
    <>
      <PrincipalToken name={namedKey.principal} bare />{' '}
      <span className="whitespace-nowrap text-ink-3">key {namedKeyState(namedKey, record.atMs)}</span>
    </>
  );
}

function PrincipalToken({ name, bare = false }: { readonly name: string; readonly bare?: boolean }) {
  return (
    <Token
      kind="principal"
      bare={bare}
      href={`/principals/${encodeURIComponent(name)}`}
      className={bare ? 'tablet:whitespace-nowrap' : undefined}
    >
      {name}
    </Token>
  );
}
