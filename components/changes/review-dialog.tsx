'use client';

import { useId, useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { useMe } from '#components/shell/queries.ts';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { ReasonField } from '#components/ui/reason-field.tsx';
import { type ChangeDetail, warningKey } from '#server/contract/changes.ts';
import { EffectSummary } from './effect-summary.tsx';
import { useChangeAct } from './queries.ts';

/** The review: effect first, each warning ticked, a verdict. It is bound to what was looked at. */
export function ReviewDialog({ detail, onClose }: { readonly detail: ChangeDetail; readonly onClose: () => void }) {
  const review = useChangeAct(detail.row.number);
  const [comment, setComment] = useState('');
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  // What is approved is what this dialog showed when it opened; an edit since then is refused by the server.
  const [contentHash] = useState(detail.contentHash);
  const effectId = useId();
  const isSelf = useMe().data?.id === detail.row.author.id;
  const warnings = detail.findings.filter((finding) => finding.severity === 'warning');
  const unread = [...new Set(warnings.map(warningKey))].filter((key) => !ticked.has(key)).length;
  const hasComment = comment.trim() !== '';
  const send = (verdict: 'approved' | 'needs work') =>
    review.mutate(
      { act: 'review', verdict, comment: comment.trim(), ticked: [...ticked], contentHash },
      { onSuccess: onClose },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Review ∆${detail.row.number} ${detail.row.title}`}
      describedBy={effectId}
      foot={
        <>
          <Button
            look="primary"
            disabledWhy={whyNotApprove({ unread, isSelf, hasComment })}
            pending={review.isPending}
            onClick={() => send('approved')}
          >
            {isSelf ? 'Approve it yourself' : 'Approve'}
          </Button>
          <Button
            disabledWhy={hasComment ? undefined : 'Say what it needs first.'}
            pending={review.isPending}
            onClick={() => send('needs work')}
          >
            Needs work
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div id={effectId}>
          <EffectSummary effects={detail.effects} />
        </div>
        {warnings.length > 0 && (
          <fieldset className="grid gap-2">
            <legend className="mb-1 font-medium">Warnings, each to be looked at</legend>
            {[...Map.groupBy(warnings, warningKey)].map(([key, found]) => (
              <Checkbox
                key={key}
                label={found.map(({ name, message }) => `${name}: ${message}`).join(' ')}
                {...(found[0]?.example === undefined ? {} : { hint: found[0].example })}
                checked={ticked.has(key)}
                onChange={(event) => setTicked((now) => toggled(now, key, event.target.checked))}
              />
            ))}
          </fieldset>
        )}
        <ReasonField
          label={isSelf ? 'Reason for approving your own change' : 'Comment'}
          hint={
            isSelf
              ? 'The timeline, the release and the audit row will say self-approved and quote it.'
              : 'Needed for needs work. Quoted in the timeline and the audit log.'
          }
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
        {review.isError && (
          <p role="alert" className="text-danger">
            {messageOf(review.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function whyNotApprove(of: { unread: number; isSelf: boolean; hasComment: boolean }): string | undefined {
  if (of.unread > 0) return `Tick ${of.unread === 1 ? 'the warning' : `all ${of.unread} warnings`} first.`;
  return of.isSelf && !of.hasComment ? 'Write the reason first.' : undefined;
}

function toggled(set: ReadonlySet<string>, key: string, isOn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isOn) next.add(key);
  else next.delete(key);
  return next;
}
