import { formatCount } from '#components/ui/format-number.ts';
import { formatMs } from '#components/ui/format-time.ts';
import { Mark } from '#components/ui/mark.tsx';
import { Time } from '#components/ui/time.tsx';
import type { Evidence } from '#server/contract/rollouts.ts';

interface EvidenceTableProps {
  readonly evidence: Evidence;
  readonly release: number;
  readonly base: number;
}

const LOOK = {
  'not enough requests': { mark: 'ring', tone: 'text-ink-3' },
  'no worse': { mark: 'check', tone: 'text-ok' },
  worse: { mark: 'square', tone: 'text-danger' },
} as const;

/** Gateways with the release beside those without it, over the same time. */
export function EvidenceTable({ evidence, release, base }: EvidenceTableProps) {
  const { stage, others, verdict, says, sinceMs, untilMs } = evidence;
  const look = LOOK[verdict];
  const rows = [
    ['requests', (side: Evidence['stage']) => formatCount(side.requests)],
    ['failed', (side: Evidence['stage']) => share(side.failed, side.requests)],
    ['refused', (side: Evidence['stage']) => share(side.refused, side.requests)],
    ['p99', (side: Evidence['stage']) => (side.p99Ms === null ? 'needs 1,000' : formatMs(side.p99Ms))],
  ] as const;
  return (
    <div className="grid gap-2">
      <p className="flex items-baseline gap-2">
        <Mark kind={look.mark} className={`translate-y-px ${look.tone}`} />
        {says}
      </p>
      <table className="w-full max-w-[28rem] text-right tabular-nums">
        <caption className="pb-1 text-left text-ink-3 text-meta">
          Measured <Time ms={sinceMs} style="second" />–<Time ms={untilMs} style="second" />
        </caption>
        <thead className="text-ink-3 text-meta">
          <tr>
            <td />
            <th scope="col" className="py-1 pl-4 font-normal">
              with r{release}
            </th>
            <th scope="col" className="py-1 pl-4 font-normal">
              with r{base}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-line border-t">
          {rows.map(([word, of]) => (
            <tr key={word}>
              <th scope="row" className="py-1 text-left font-normal text-ink-2">
                {word}
              </th>
              <td className="py-1 pl-4">{of(stage)}</td>
              <td className="py-1 pl-4">{of(others)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function share(count: number, requests: number): string {
  if (requests === 0) return '—';
  return `${((count / requests) * 100).toFixed(2)} %`;
}
