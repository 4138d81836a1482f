import { definitionHref } from '#components/definitions/kind-words.ts';
import { formatCount } from '#components/ui/format-number.ts';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { Denial } from '#server/contract/denials.ts';

/** Who may no longer do what, since which policy, how often they tried, and what to look at next. */
export const DENIED_COLUMNS: readonly [LedgerColumn<Denial>, ...LedgerColumn<Denial>[]] = [
  {
    key: 'who',
    head: 'Client',
    cell: ({ principal, actorKind }) => (
      <>
        <Token
          kind="principal"
          href={definitionHref('principal', principal)}
          className="max-tablet:break-all tablet:whitespace-nowrap"
        >
          {principal}
        </Token>
        {actorKind !== null && <span className="block text-ink-3 text-meta max-tablet:hidden">{actorKind}</span>}
      </>
    ),
  },
  { key: 'what', head: 'Refused, and why', cell: (denial) => <Refused denial={denial} /> },
  {
    key: 'requests',
    head: 'Requests',
    align: 'right',
    phone: 'end',
    cell: ({ requests }) => (
      <>
        {formatCount(requests)}
        <span className="tablet:hidden"> refused</span>
      </>
    ),
  },
  { key: 'times', head: 'First to last', align: 'right', cell: (denial) => <Times denial={denial} /> },
];

/** What tells one row from another. */
export function denialKey({ principal, tenant, type, code, policy, until }: Denial): string {
  return JSON.stringify([principal, tenant, type, code, policy, until]);
}

function Refused({ denial }: { readonly denial: Denial }) {
  const { operations, type, kind, tenant } = denial;
  return (
    <span className="grid gap-0.5">
      <span>
        <span className="font-mono text-[0.9375em]">{operations.join(', ')}</span>{' '}
        <Token kind={kind === 'objectType' ? 'object' : 'edge'} href={definitionHref(kind, type)}>
          {type}
        </Token>{' '}
        in{' '}
        <Token kind="tenant" href={definitionHref('tenant', tenant)}>
          {tenant}
        </Token>
      </span>
      <span className="text-ink-2">
        <Cause denial={denial} />
      </span>
      <span className="flex flex-wrap gap-x-3">
        <TextLink
          href={`/requests/${encodeURIComponent(denial.requestId)}?code=${denial.code}`}
          prefetch={false}
          className="pointer-coarse:py-1"
        >
          One request
        </TextLink>
        <TextLink href={remedyHref(denial)} prefetch={false} className="pointer-coarse:py-1">
          {denial.code === 'forbidden' ? 'Change who may' : `Look at ${type}`}
        </TextLink>
      </span>
    </span>
  );
}

function Times({ denial: { firstMs, lastMs } }: { readonly denial: Denial }) {
  return (
    <span className="whitespace-nowrap">
      <Time ms={firstMs} style="moment" />
      {lastMs > firstMs && (
        <span className="tablet:block">
          <span className="tablet:hidden"> to </span>
          <Time ms={lastMs} style="moment" />
        </span>
      )}
    </span>
  );
}

function Cause({ denial }: { readonly denial: Denial }) {
  return (
    <>
      <Reason denial={denial} />
      {denial.until !== null && (
        <span className="text-ink-3">
          {' '}
          until{' '}
          <Token kind="release" bare href={`/releases/${denial.until}`}>
            r{denial.until}
          </Token>
        </span>
      )}
    </>
  );
}

function Reason({ denial: { code, policy, permittedBy } }: { readonly denial: Denial }) {
  if (code === 'type_deprecated') return 'The type is no longer served';
  if (code === 'unknown_tenant') return 'The tenant is removed';
  if (code !== 'forbidden') return 'The type is removed';
  if (policy !== null) {
    return (
      <>
        <PolicyToken name={policy} /> forbids it
      </>
    );
  }
  return (
    <>
      Nothing permits it
      {permittedBy.map((name, at) => (
        <span key={name}>
          {at === 0 ? '; before, ' : ', '}
          <PolicyToken name={name} />
        </span>
      ))}
      {permittedBy.length > 0 && ' did'}
    </>
  );
}

function PolicyToken({ name }: { readonly name: string }) {
  return (
    <Token kind="policy" href={definitionHref('policy', name)}>
      {name}
    </Token>
  );
}

/** The policy that forbids it, a policy to draft where none permits it, else the definition that is gone. */
function remedyHref({ code, policy, type, kind, tenant }: Denial): string {
  if (code === 'unknown_tenant') return definitionHref('tenant', tenant);
  if (code !== 'forbidden') return definitionHref(kind, type);
  return policy === null ? `/changes/new?add=policy&for=${encodeURIComponent(type)}` : definitionHref('policy', policy);
}
