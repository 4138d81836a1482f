'use client';

import { useId, useState } from 'react';
import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { formatCount } from '#components/ui/format-number.ts';
import { NumberInput } from '#components/ui/number-input.tsx';
import { ReasonField } from '#components/ui/reason-field.tsx';
import type { TenantQuotas } from '#gateway/contract/definitions/tenant.ts';
import { useLowerQuota } from './queries.ts';

const LIMITS = [
  ['readsPerSecond', 'Reads', 'a second'],
  ['writesPerSecond', 'Writes', 'a second'],
  ['ruPerSecond', 'RU', 'a second'],
  ['inFlight', 'In flight', 'requests'],
] as const satisfies readonly (readonly [keyof TenantQuotas, string, string])[];

interface LowerQuotaProps {
  readonly tenant: string;
  readonly quotas: TenantQuotas;
}

/** Lowers limits of a tenant at once, without a review. Raising one takes a change. */
export function LowerQuotaControl({ tenant, quotas }: LowerQuotaProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Lower quota
      </Button>
      {isAsking && <LowerQuotaDialog tenant={tenant} quotas={quotas} onClose={() => setAsking(false)} />}
    </>
  );
}

function LowerQuotaDialog({ tenant, quotas, onClose }: LowerQuotaProps & { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<TenantQuotas>(quotas);
  const [reason, setReason] = useState('');
  const lower = useLowerQuota(tenant);
  const { toast } = useAnnouncer();
  const effectId = useId();
  const errors = LIMITS.map(([key]) => errorOf(draft[key], quotas[key]));
  const lowered = LIMITS.filter(([key]) => draft[key] < quotas[key]);
  const why =
    errors.find((error) => error !== undefined) ??
    (lowered.length === 0 ? 'Lower a limit first.' : reason.trim().length < 3 ? 'Write a reason first.' : undefined);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Lower the quota of ${tenant}?`}
      describedBy={effectId}
      foot={
        <>
          <Button
            look="danger"
            pending={lower.isPending}
            disabledWhy={why}
            onClick={() =>
              lower.mutate(
                { quotas: Object.fromEntries(lowered.map(([key]) => [key, draft[key]])), reason: reason.trim() },
                {
                  onSuccess: ({ release }) => {
                    toast(`r${release} lowers the quota of ${tenant} on all gateways.`);
                    onClose();
                  },
                },
              )
            }
          >
            Lower quota
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p id={effectId} className="text-prose">
          Requests above a limit are refused as <code className="font-mono">quota_exceeded</code> from the next release
          on. It goes to all gateways at once; no review is asked, a follow-up review goes to the inbox of operators.
        </p>
        {LIMITS.map(([key, label, unit], at) => (
          <Field key={key} label={label} hint={`Now ${formatCount(quotas[key])}.`} error={errors[at]} required>
            <NumberInput
              unit={unit}
              min={key === 'inFlight' ? 1 : 0}
              max={quotas[key]}
              value={Number.isNaN(draft[key]) ? '' : draft[key]}
              onChange={(event) => setDraft({ ...draft, [key]: Math.trunc(event.target.valueAsNumber) })}
            />
          </Field>
        ))}
        <ReasonField value={reason} onChange={(event) => setReason(event.target.value)} />
        {lower.isError && (
          <p role="alert" className="text-danger">
            {messageOf(lower.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function errorOf(limit: number, published: number): string | undefined {
  if (Number.isNaN(limit) || limit < 0) return 'Write a number.';
  return limit > published ? 'Raising a limit takes a change.' : undefined;
}
