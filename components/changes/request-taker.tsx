'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { testOfRequest } from '#components/policies/test-of-request.ts';
import { requestQuery } from '#components/requests/queries.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { TextInput } from '#components/ui/text-input.tsx';
import type { PolicyTest } from '#gateway/contract/definitions/policy.ts';

/** Fills a test in from a recorded request, by its id. */
export function RequestTaker({ onTake }: { readonly onTake: (test: PolicyTest) => void }) {
  const client = useQueryClient();
  const [id, setId] = useState('');
  const take = useMutation({
    mutationFn: async () => {
      const { record } = await client.fetchQuery({ ...requestQuery(id.trim()), retry: false });
      return testOfRequest(record);
    },
    onSuccess: (taken) => typeof taken !== 'string' && onTake(taken),
  });
  const refusal = typeof take.data === 'string' ? take.data : undefined;
  return (
    <Field
      label="From a recorded request"
      hint="Its id fills the form: replies, the audit log and the requests page show it."
      error={take.isError ? messageOf(take.error) : refusal}
    >
      <div className="flex gap-2">
        <TextInput
          mono
          value={id}
          onChange={(event) => setId(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && id.trim() !== '') take.mutate();
          }}
        />
        <Button
          pending={take.isPending}
          disabledWhy={id.trim() === '' ? 'Paste the id of a request first.' : undefined}
          onClick={() => take.mutate()}
        >
          Take it
        </Button>
      </div>
    </Field>
  );
}
