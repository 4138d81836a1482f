'use client';

import { messageOf } from '#components/api-client.ts';
import { EndedWords } from '#components/releases/ended-words.tsx';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import { Time } from '#components/ui/time.tsx';
import type { PrincipalKey } from '#server/contract/definitions.ts';
import type { EndedRollout } from '#server/contract/rollouts.ts';
import { useRevokeKey } from './queries.ts';

interface RevokeKeyDialogProps {
  readonly principal: string;
  readonly revoked: PrincipalKey;
  /** The rollout that it ends. */
  readonly ends: EndedRollout | null;
  readonly onClose: () => void;
}

/** Says what a revocation cuts off, takes the reason, and stays pending until it is published. */
export function RevokeKeyDialog({ principal, revoked, ends, onClose }: RevokeKeyDialogProps) {
  const revoke = useRevokeKey(principal);
  const { toast } = useAnnouncer();
  return (
    <ConfirmEffect
      open
      onClose={onClose}
      title={`Revoke ${revoked.label}?`}
      act="Revoke key"
      look="danger"
      reason="required"
      pending={revoke.isPending}
      error={revoke.isError ? <p className="text-danger">{messageOf(revoke.error)}</p> : undefined}
      onConfirm={(reason) =>
        revoke.mutate(
          { id: revoked.id, reason },
          {
            onSuccess: ({ release }) => {
              toast(`r${release} revokes ${revoked.label} of ${principal}.`);
              onClose();
            },
          },
        )
      }
    >
      <p>
        Calls with this key of <b>{principal}</b> are refused as <code className="font-mono">unauthenticated</code>{' '}
        within two seconds at every gateway that is connected.{' '}
        {revoked.lastUsedMs === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <Time ms={revoked.lastUsedMs} style="ago" />.
          </>
        )}
      </p>
      {ends !== null && (
        <p>
          <EndedWords ends={ends} />
        </p>
      )}
      <p>
        Other keys of {principal} keep working. No review is asked; a follow-up review goes to the inbox of security. It
        cannot be undone: make a new key instead.
      </p>
    </ConfirmEffect>
  );
}
