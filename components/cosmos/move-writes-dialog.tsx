'use client';

import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { ConfirmEffect } from '#components/ui/confirm-effect.tsx';
import type { LocalCosmosState } from '#gateway/contract/local-cosmos.ts';
import { useMoveWrites } from './queries.ts';

interface MoveWritesDialogProps {
  readonly account: LocalCosmosState['accounts'][number];
  readonly to: string;
  readonly onClose: () => void;
}

/** Moves an account's writes to another region, as an operator of Cosmos DB would by a failover. */
export function MoveWritesDialog({ account, to, onClose }: MoveWritesDialogProps) {
  const move = useMoveWrites();
  const { toast } = useAnnouncer();
  const from = account.writeRegion;
  const back = () => move.mutate({ account: account.name, region: from });
  return (
    <ConfirmEffect
      open
      onClose={onClose}
      title={`Move writes to ${to}?`}
      act={`Move writes to ${to}`}
      pending={move.isPending}
      error={move.isError ? <p className="text-danger">Nothing was moved. {messageOf(move.error)}</p> : undefined}
      onConfirm={() =>
        move.mutate(
          { account: account.name, region: to },
          {
            onSuccess: () => {
              toast(`${to} takes the writes of ${account.name}.`, back);
              onClose();
            },
          },
        )
      }
    >
      <p>
        {to} takes the writes of {account.name}, and {from} refuses them with 403/3 from then on. Gateways hear of it by
        that answer and follow. Nothing that was acknowledged is lost; reads go on in every region.
      </p>
    </ConfirmEffect>
  );
}
