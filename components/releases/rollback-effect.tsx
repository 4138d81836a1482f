import type { UseQueryResult } from '@tanstack/react-query';
import { messageOf } from '#components/api-client.ts';
import { EffectSummary } from '#components/changes/effect-summary.tsx';
import { EditDiffs } from '#components/definitions/edit-diffs.tsx';
import { plural } from '#components/ui/format-number.ts';
import { Mark } from '#components/ui/mark.tsx';
import { Token } from '#components/ui/token.tsx';
import type { RollbackPreview } from '#server/contract/rollouts.ts';
import { EndedWords } from './ended-words.tsx';

/** What a rollback would do, in sentences: what it undoes, who gains or loses, who could not run it. */
export function RollbackEffect({ preview }: { readonly preview: UseQueryResult<RollbackPreview> }) {
  if (preview.isError) return <p className="text-danger">{messageOf(preview.error)}</p>;
  if (preview.data === undefined) return <p className="text-ink-3">Working out what it does…</p>;
  const { data } = preview;
  if (!data.possible.may && data.edits.length === 0) return <p>{data.possible.why}</p>;
  return (
    <div className="grid gap-3">
      {!data.possible.may && (
        <p className="flex items-baseline gap-2">
          <Mark kind="triangle" className="translate-y-px text-warn" />
          {data.possible.why}
        </p>
      )}
      <Undone preview={data} />
      <EffectSummary effects={data.effects} />
      {data.widens.length > 0 && (
        <div className="border-hold border-l-2 pl-3">
          <p>It newly allows or raises something, so a second person reviews it before it is published:</p>
          <ul className="mt-1 grid gap-1">
            {data.widens.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      {data.cannotRun.map(({ gateway, why }) => (
        <p key={gateway} className="flex items-baseline gap-2">
          <Mark kind="triangle" className="translate-y-px text-warn" />
          <span>
            <bdi className="font-mono">{gateway}</bdi> could not run it: {why}.
          </span>
        </p>
      ))}
      <p className="text-ink-2">
        It goes to all gateways at once. Keys stay as they are: a revoked key stays revoked. Undone edits become drafts
        of their authors; nothing that is stored is touched.
      </p>
      {data.edits.length > 0 && (
        <details>
          <summary className="cursor-pointer text-accent">
            {plural(data.edits.length, 'definition')} would change
          </summary>
          <div className="mt-2">
            <EditDiffs edits={data.edits} none="" />
          </div>
        </details>
      )}
    </div>
  );
}

function Undone({ preview }: { readonly preview: RollbackPreview }) {
  return (
    <ul aria-label="Releases it undoes" className="grid gap-1">
      {preview.undoes.map(({ release, cause, by }) => (
        <li key={release}>
          Undoes{' '}
          <Token kind="release" bare href={`/releases/${release}`}>
            r{release}
          </Token>{' '}
          <bdi>{cause}</bdi> · {by.name}
        </li>
      ))}
      {preview.ends !== null && (
        <li>
          <EndedWords ends={preview.ends} />
        </li>
      )}
    </ul>
  );
}
