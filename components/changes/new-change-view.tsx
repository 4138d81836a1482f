'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { useForm } from 'react-hook-form';
import { ConsoleError, messageOf } from '#components/api-client.ts';
import { KINDS } from '#components/definitions/kind-words.ts';
import { Button } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { useShortcuts } from '#components/ui/shortcuts.tsx';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { CreateChange } from '#server/contract/changes.ts';
import { type ChangeWords, ChangeWordsFields } from './change-words-fields.tsx';
import { useCreateChange } from './queries.ts';

/** Starts a change. `?add=objectType` says what will be added first, `&for=…` what it is for. */
export function NewChangeView() {
  const router = useRouter();
  const search = useSearchParams();
  const create = useCreateChange();
  const kind = DefinitionKind.safeParse(search.get('add')).data;
  const form = useForm<ChangeWords>({
    defaultValues: { title: kind === undefined ? '' : `Add ${articleOf(KINDS[kind].one)}`, reason: '', link: '' },
  });
  const submit = form.handleSubmit((words) => {
    const parsed = CreateChange.safeParse({ ...words, link: words.link === '' ? null : words.link });
    if (!parsed.success) {
      for (const issue of parsed.error.issues) {
        const field = issue.path[0];
        if (field === 'title' || field === 'reason' || field === 'link')
          form.setError(field, { message: issue.message });
      }
      return;
    }
    create.mutate(parsed.data, {
      onSuccess: ({ number }) => router.push(`/changes/${number}${search.size === 0 ? '' : `?${search}`}`),
      onError: (error) => {
        if (!(error instanceof ConsoleError)) return;
        for (const field of ['title', 'reason', 'link'] as const) {
          const message = error.fields[field];
          if (message !== undefined) form.setError(field, { message });
        }
      },
    });
  });
  useShortcuts([{ keys: 'mod+enter', label: 'Start the change', run: () => void submit() }]);
  return (
    <>
      <PageHead glyph="change" title="New change">
        <Sentence size="prose" className="text-ink-2">
          Nothing here reaches a gateway before the change is reviewed and published. You can add edits as you go.
        </Sentence>
      </PageHead>
      <form onSubmit={(event) => void submit(event)} className="grid max-w-160 gap-5" noValidate>
        <ChangeWordsFields form={form} />
        <div>
          <Button type="submit" look="primary" pending={create.isPending}>
            Start the change
          </Button>
        </div>
        {create.isError && (
          <p role="alert" className="text-danger">
            {messageOf(create.error)}
          </p>
        )}
      </form>
    </>
  );
}

const articleOf = (noun: string): string => `${/^[aeo]/.test(noun) ? 'an' : 'a'} ${noun}`;
