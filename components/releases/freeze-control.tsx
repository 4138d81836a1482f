'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import { freezeQuery, useFreeze } from './queries.ts';

/** Stops publishing, or allows it again; both with a reason. */
export function FreezeControl() {
  const { data } = useQuery(freezeQuery());
  const freeze = useFreeze();
  const [isAsking, setAsking] = useState(false);
  if (data === undefined) return null;
  const act = data.freeze === null ? 'freeze' : 'unfreeze';
  const words = act === 'freeze' ? 'Freeze publishing' : 'Unfreeze publishing';
  return (
    <>
      <Button disabledWhy={data.may.may ? undefined : data.may.why} onClick={() => setAsking(true)}>
        {words}
      </Button>
      {isAsking && (
        <ConfirmEffect
          open
          onClose={() => setAsking(false)}
          title={`${words}?`}
          act={words}
          reason="required"
          pending={freeze.isPending}
          error={freeze.isError ? <p className="text-danger">{messageOf(freeze.error)}</p> : undefined}
          onConfirm={(reason) => freeze.mutate({ act, reason }, { onSuccess: () => setAsking(false) })}
        >
          {act === 'freeze' ? (
            <p>
              No change and no key is published, and no stage of a rollout opens, until somebody unfreezes. What only
              takes away still passes: revoke, disable, switch off, lower, and a rollback that widens nothing.
            </p>
          ) : (
            <p>Changes and keys are published again. What waits in the queue goes on by itself.</p>
          )}
        </ConfirmEffect>
      )}
    </>
  );
}
