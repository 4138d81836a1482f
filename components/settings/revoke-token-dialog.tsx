'use client';

import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import { Time } from '#components/ui/time.tsx';
import type { TokenRow } from '#server/contract/tokens.ts';
import { useRevokeToken } from './token-queries.ts';

interface RevokeTokenDialogProps {
  readonly revoked: TokenRow;
  readonly onClose: () => void;
}

/** Says what a revocation cuts off and takes the reason. */
export function RevokeTokenDialog({ revoked, onClose }: RevokeTokenDialogProps) {
  const revoke = useRevokeToken();
  const { toast } = useAnnouncer();
  return (
    <ConfirmEffect
      open
      onClose={onClose}
      title={`Revoke ${revoked.name}?`}
      act="Revoke token"
      look="danger"
      reason="required"
      pending={revoke.isPending}
      error={revoke.isError ? <p className="text-danger">{messageOf(revoke.error)}</p> : undefined}
      onConfirm={(reason) =>
        revoke.mutate(
          { id: revoked.id, reason },
          {
            onSuccess: () => {
              toast(`The token ${revoked.name} works no more.`);
              onClose();
            },
          },
        )
      }
    >
      <p>
        The console refuses it from its next request on.{' '}
        {revoked.lastUsedMs === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <Time ms={revoked.lastUsedMs} style="ago" />.
          </>
        )}
      </p>
      <p>Its name stays in the audit log. It cannot be undone: make a new token instead.</p>
    </ConfirmEffect>
  );
}
