'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { EffectSummary } from '#components/changes/effect-summary.tsx';
import { EndedWords } from '#components/releases/ended-words.tsx';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Button } from '#components/ui/button.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import { type NarrowPath, narrowQuery, useNarrow } from './queries.ts';

interface NarrowControlProps {
  readonly path: NarrowPath;
  /** Verb and noun, on the button: `Disable principal`. */
  readonly act: string;
  /** The question: `Disable chat-api?`. */
  readonly title: string;
  /** What it does, and how it is undone. */
  readonly children: React.ReactNode;
}

/** One narrowing act: the button, then what it cuts off, the reason, and the release it makes. */
export function NarrowControl({ path, act, title, children }: NarrowControlProps) {
  const [isAsking, setAsking] = useState(false);
  const preview = useQuery({ ...narrowQuery(path) });
  const possible = preview.data?.possible;
  return (
    <>
      <Button
        look="danger"
        disabledWhy={possible === undefined || possible.may ? undefined : possible.why}
        onClick={() => setAsking(true)}
      >
        {act}
      </Button>
      {isAsking && (
        <NarrowDialog path={path} act={act} title={title} onClose={() => setAsking(false)}>
          {children}
        </NarrowDialog>
      )}
    </>
  );
}

function NarrowDialog({ path, act, title, children, onClose }: NarrowControlProps & { readonly onClose: () => void }) {
  const preview = useQuery(narrowQuery(path));
  const narrow = useNarrow(path);
  const { toast } = useAnnouncer();
  return (
    <ConfirmEffect
      open
      onClose={onClose}
      title={title}
      act={act}
      look="danger"
      reason="required"
      pending={narrow.isPending}
      error={narrow.isError ? <p className="text-danger">{messageOf(narrow.error)}</p> : undefined}
      onConfirm={(reason) =>
        narrow.mutate(reason, {
          onSuccess: ({ release }) => {
            toast(`r${release} does it on all gateways.`);
            onClose();
          },
        })
      }
    >
      {children}
      {preview.isPending && (
        <p role="status" className="text-ink-3">
          Working out what it cuts off.
        </p>
      )}
      {preview.isError && (
        <p className="text-danger">
          What it cuts off cannot be read now: {messageOf(preview.error)} The act still works.
        </p>
      )}
      {preview.data?.cuts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {preview.data !== undefined && <EffectSummary effects={preview.data.effects} />}
      {preview.data !== undefined && preview.data.ends !== null && (
        <p>
          <EndedWords ends={preview.data.ends} />
        </p>
      )}
      <p className="text-ink-2">
        It goes to all gateways at once. No review is asked; a follow-up review goes to the inbox of security.
      </p>
    </ConfirmEffect>
  );
}
