'use client';

import { useQuery } from '@tanstack/react-query';
import { Empty } from '#components/ui/empty.tsx';
import { formatCount, plural } from '#components/ui/format-number.ts';
import { Ledger } from '#components/ui/ledger.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { REFUSALS_KEPT_DAYS, type ReleaseDenials } from '#server/contract/denials.ts';
import type { ReleaseDetail } from '#server/contract/releases.ts';
import { DENIED_COLUMNS, denialKey } from './denied-columns.tsx';
import { denialsQuery } from './queries.ts';

/** Who is refused because of a release: clients that it refuses and the one before let in. */
export function DeniedSection({ detail }: { readonly detail: ReleaseDetail }) {
  const { number } = detail.row;
  const query = useQuery(denialsQuery(number));
  return (
    <Ruled>
      <Section title={`Denied because of r${number}`} note={noteOf(number, query.data)} frame="ruled">
        <QueryView query={query} label="Refused clients" rows={2}>
          {(denials) => (
            <>
              {denials.denials.length === 0 ? (
                <Empty>{noneWords(number, denials)}</Empty>
              ) : (
                <Ledger
                  label={`Clients denied because of r${number}`}
                  columns={DENIED_COLUMNS}
                  rows={denials.denials}
                  rowKey={denialKey}
                />
              )}
              <Remarks detail={detail} denials={denials} />
            </>
          )}
        </QueryView>
      </Section>
    </Ruled>
  );
}

function noteOf(number: number, denials: ReleaseDenials | undefined): string | undefined {
  if (denials === undefined || denials.base === null) return undefined;
  if (denials.denials.length === 0) return `r${denials.base} served before`;
  const { principals, requests } = denials.total;
  const who = `${plural(principals, 'client')}, ${plural(requests, 'request')}`;
  return `${denials.isWhole ? '' : 'at least '}${who} that r${denials.base} let in and r${number} refuses`;
}

function noneWords(number: number, { base, hiddenTenants }: ReleaseDenials): string {
  if (base === null) return `r${number} is the first release: nobody was let in before it.`;
  if (hiddenTenants > 0)
    return `In the tenants whose traffic you may see, r${number} refuses nobody that r${base} let in.`;
  return `Nobody that r${base} allowed is refused under r${number}.`;
}

/** What the list leaves out, each in a sentence. */
function Remarks({ detail, denials }: { readonly detail: ReleaseDetail; readonly denials: ReleaseDenials }) {
  const { number } = detail.row;
  const remarks = remarksOf(detail, denials);
  if (remarks.length === 0) return null;
  return (
    <div className="grid gap-1 border-line border-t px-4 py-2.5 text-ink-2">
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
      {denials.refusedBefore > 0 && (
        <p>
          <TextLink href={`/requests?release=${number}&outcome=refused`} prefetch={false}>
            Every kept refusal under r{number}
          </TextLink>
        </p>
      )}
    </div>
  );
}

function remarksOf(detail: ReleaseDetail, denials: ReleaseDenials): readonly string[] {
  const { number, isTarget } = detail.row;
  const { base, through, total, refusedBefore, isWhole, isForgotten, hiddenTenants } = denials;
  if (base === null) return [];
  const told = denials.denials.length;
  const keysMoved = detail.sections.some(({ kind, changed }) => kind === 'key' && changed);
  const cutsOff = detail.edits.some(
    ({ kind, act, document }) => kind === 'principal' && (act === 'remove' || document?.disabled === true),
  );
  return [
    told < total.denials && `These are the ${told} of ${formatCount(total.denials)} with the most requests.`,
    !isWhole && 'More kinds of call are refused than are compared here; those with the most requests are.',
    told > 0 && !isTarget && through > number && `Counted up to r${through}, while nothing since permits them.`,
    refusedBefore > 0 && `${callsWere(refusedBefore)} refused under r${base} as well, so not because of r${number}.`,
    isForgotten &&
      `Refused calls are counted here until ${REFUSALS_KEPT_DAYS} days after the last of them, and r${number} is older: the audit log has what is not counted any more.`,
    hiddenTenants > 0 &&
      `Refusals in ${plural(hiddenTenants, 'tenant')} are left out: their traffic is for their teams, operators, security and auditors.`,
    (keysMoved || cutsOff) &&
      'Calls with a revoked key, or of a disabled principal, are unauthenticated: they name nobody, so they are not listed.',
  ].filter((remark) => remark !== false);
}

function callsWere(count: number): string {
  return count === 1 ? 'One kind of call was' : `${formatCount(count)} kinds of call were`;
}
