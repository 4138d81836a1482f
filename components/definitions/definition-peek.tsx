'use client';

import { useQuery } from '@tanstack/react-query';
import { LinkButton } from '#components/ui/button.tsx';
import { formatCount } from '#components/ui/format-number.ts';
import { QueryView } from '#components/ui/query-view.tsx';
import { RowPanel } from '#components/ui/row-panel.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { DefinitionRow } from '#server/contract/definitions.ts';
import { definitionHref, KINDS } from './kind-words.ts';
import { OpenChanges } from './open-changes.tsx';
import { definitionQuery } from './queries.ts';

interface DefinitionPeekProps {
  readonly row: DefinitionRow | undefined;
  readonly onClose: () => void;
}

/** A definition beside its list: what it says, whose it is, what it hangs together with. Enter opens the whole page. */
export function DefinitionPeek({ row, onClose }: DefinitionPeekProps) {
  return (
    <RowPanel open={row !== undefined} onClose={onClose} title={row !== undefined && <PeekTitle row={row} />}>
      {row !== undefined && (
        <div className="grid gap-4">
          <p className="text-prose">{row.description}</p>
          <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-y-1 [&>dt]:text-ink-3">
            <dt>Is</dt>
            <dd>
              {KINDS[row.kind].one}, {row.summary}
            </dd>
            <dt>Owner</dt>
            <dd>team {row.ownerTeam}</dd>
            <dt>Changed</dt>
            <dd>
              {row.changedBy.name}, <Time ms={row.changedAtMs} style="full" />, in r{row.release}
            </dd>
          </dl>
          <PeekDetail row={row} />
          <div>
            <LinkButton href={definitionHref(row.kind, row.name)}>Open {row.name}</LinkButton>
          </div>
        </div>
      )}
    </RowPanel>
  );
}

function PeekTitle({ row }: { readonly row: DefinitionRow }) {
  return <Token kind={KINDS[row.kind].glyph}>{row.name}</Token>;
}

/** A panel is looked at, not read. */
const PEEKED = 20;

function PeekDetail({ row }: { readonly row: DefinitionRow }) {
  const query = useQuery(definitionQuery(row.kind, row.name));
  return (
    <QueryView query={query} label={row.name} rows={2}>
      {({ relatedTo, relatedTotal, openChanges }) => (
        <>
          <OpenChanges changes={openChanges} />
          {relatedTo.length > 0 && (
            <ul aria-label={`Relations of ${row.name}`} className="grid gap-1">
              {relatedTo.slice(0, PEEKED).map((related) => (
                <li
                  key={`${related.kind}/${related.name}/${related.how}`}
                  className="flex flex-wrap items-baseline gap-x-2"
                >
                  <Token kind={KINDS[related.kind].glyph} href={definitionHref(related.kind, related.name)}>
                    {related.name}
                  </Token>
                  <span className="text-ink-2">{related.how}</span>
                </li>
              ))}
              {relatedTotal > PEEKED && (
                <li className="text-ink-3">and {formatCount(relatedTotal - PEEKED)} more, on its page</li>
              )}
            </ul>
          )}
        </>
      )}
    </QueryView>
  );
}
