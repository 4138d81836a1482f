'use client';

import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { focusBack, focusNow } from '#components/ui/focus-now.ts';
import { Textarea } from '#components/ui/textarea.tsx';
import { Time } from '#components/ui/time.tsx';
import type { ChangeComment } from '#server/contract/changes.ts';
import { useFormWiring } from './form-context.ts';
import { useAddComment, useResolveComments } from './queries.ts';

interface FieldThreadProps {
  readonly path: string;
  readonly label: string;
}

/** The remarks on one field beside it, and a place for the next one. What is resolved is folded away. */
export function FieldThread({ path, label }: FieldThreadProps) {
  const { draft, talk } = useFormWiring();
  // Whoever leaves the remark, sent or not, is back at the button that opened it.
  const [step, setStep] = useState<'reading' | 'writing' | 'back'>('reading');
  const own = talk.comments.filter((one) => one.kind === draft.kind && one.name === draft.name && one.path === path);
  const open = own.filter(({ resolvedBy }) => resolvedBy === null);
  const done = own.filter(({ resolvedBy }) => resolvedBy !== null);
  // An edit that the server does not have yet cannot be talked about.
  if (own.length === 0 && (!talk.may.may || draft.version === 0)) return null;
  return (
    <div className="grid gap-2">
      {open.length > 0 && (
        <section aria-label={`Remarks on ${label}`} className="mt-1 grid gap-2 border-accent border-l-2 pl-3">
          {open.map((comment) => (
            <Remark key={comment.id} comment={comment} />
          ))}
        </section>
      )}
      {done.length > 0 && (
        <details>
          <summary className="w-fit rounded-cell text-ink-3 text-meta">
            {done.length === 1 ? 'One remark resolved' : `${done.length} remarks resolved`}
          </summary>
          <div className="mt-1 grid gap-2 border-line border-l-2 pl-3">
            {done.map((comment) => (
              <Remark key={comment.id} comment={comment} />
            ))}
          </div>
        </details>
      )}
      {step === 'writing' ? (
        <RemarkForm path={path} label={label} onDone={() => setStep('back')} />
      ) : (
        <ThreadActs
          path={path}
          label={label}
          isOpen={open.length > 0}
          isBack={step === 'back'}
          onWrite={() => setStep('writing')}
        />
      )}
    </div>
  );
}

interface ThreadActsProps extends FieldThreadProps {
  readonly isOpen: boolean;
  readonly isBack: boolean;
  readonly onWrite: () => void;
}

function ThreadActs({ path, label, isOpen, isBack, onWrite }: ThreadActsProps) {
  const { draft, talk } = useFormWiring();
  const resolve = useResolveComments(talk.number);
  if (!talk.may.may) return null;
  return (
    <div
      className={cn(
        'flex flex-wrap gap-1',
        isOpen && '-ml-2',
        !isOpen &&
          '-top-1 absolute right-0 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      <Button look="quiet" onClick={onWrite} ref={isBack ? focusBack : undefined}>
        {isOpen ? 'Reply' : 'Comment'}
        <span className="sr-only"> on {label}</span>
      </Button>
      {isOpen && (
        <Button
          look="quiet"
          pending={resolve.isPending}
          onClick={() => resolve.mutate({ kind: draft.kind, name: draft.name, path })}
        >
          Resolve
          <span className="sr-only"> the remarks on {label}</span>
        </Button>
      )}
      {resolve.isError && (
        <p role="alert" className="text-danger">
          {messageOf(resolve.error)}
        </p>
      )}
    </div>
  );
}

function RemarkForm({ path, label, onDone }: FieldThreadProps & { readonly onDone: () => void }) {
  const { draft, talk } = useFormWiring();
  const [text, setText] = useState('');
  const add = useAddComment(talk.number);
  const send = () => add.mutate({ kind: draft.kind, name: draft.name, path, text: text.trim() }, { onSuccess: onDone });
  return (
    <div className="grid gap-2 border-accent border-l-2 pl-3">
      <Textarea
        ref={focusNow}
        rows={2}
        maxLength={2_000}
        aria-label={`Comment on ${label}`}
        placeholder="@ and a name puts it into that person’s inbox"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex gap-1">
        <Button
          pending={add.isPending}
          disabledWhy={text.trim() === '' ? 'Write something first.' : undefined}
          onClick={send}
        >
          Comment
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
      {add.isError && (
        <p role="alert" className="text-danger">
          {messageOf(add.error)}
        </p>
      )}
    </div>
  );
}

function Remark({ comment: { author, atMs, text, resolvedBy } }: { readonly comment: ChangeComment }) {
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-2 text-meta">
        <span className="font-medium">{author.name}</span>
        <Time ms={atMs} style="ago" className="text-ink-3" />
        {resolvedBy !== null && <span className="text-ink-3">resolved by {resolvedBy.name}</span>}
      </p>
      <p className="whitespace-pre-wrap">
        <bdi>{text}</bdi>
      </p>
    </div>
  );
}
