import { formatCount, plural } from '#components/ui/format-number.ts';
import { Mark } from '#components/ui/mark.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { Time } from '#components/ui/time.tsx';
import type { LoadedAudit } from './queries.ts';

/** How far the log is whole, and how many rows still lie on gateways. Keeps its line while nothing is known. */
export function Wholeness({ page }: { readonly page: LoadedAudit | undefined }) {
  if (page === undefined) return <Sentence>Who did what, and because of what.</Sentence>;
  const isBehind = page.unaudited > 0;
  return (
    <Sentence>
      <Mark kind={isBehind ? 'half' : 'check'} className={isBehind ? 'mr-1.5 text-warn' : 'mr-1.5 text-ok'} />
      Whole up to{' '}
      <b>
        <Time ms={page.wholeUpToMs} style="second" />
      </b>{' '}
      · {formatCount(page.unaudited)} unaudited
      {isBehind && `: ${plural(page.unaudited, 'row')} still on gateways’ own disks`}
    </Sentence>
  );
}
