'use client';

import { textAt, valueAt } from '#components/definitions/document.ts';
import { useFormWiring } from './form-context.ts';
import { NumberRow, SelectRow, TextRow } from './form-rows.tsx';
import { MoreFields } from './more-fields.tsx';
import { NameRow } from './name-row.tsx';
import { OwnerRow } from './owner-row.tsx';

/** A tenant and its quotas. */
export function TenantForm({ onRenamed }: { readonly onRenamed: (key: string) => void }) {
  const { draft } = useFormWiring();
  return (
    <>
      <NameRow hint="Small letters, digits and hyphens, like chat. It stands in every URL." onRenamed={onRenamed} />
      <TextRow path="displayName" label="Display name" />
      <OwnerRow />
      <fieldset className="grid gap-5 border-line border-t pt-3">
        <legend className="pr-3 font-medium">Quotas, over all gateways</legend>
        <div className="grid gap-5 tablet:grid-cols-2">
          <NumberRow path="quotas.readsPerSecond" label="Reads" unit="per second" />
          <NumberRow path="quotas.writesPerSecond" label="Writes" unit="per second" />
          <NumberRow path="quotas.ruPerSecond" label="Request units" unit="RU/second" />
          <NumberRow path="quotas.inFlight" label="In flight at each gateway" unit="requests" />
        </div>
        <SelectRow
          path="mode"
          label="Mode"
          options={[
            { value: 'enforce', label: 'Enforce: what exceeds a quota is refused' },
            { value: 'shadow', label: 'Shadow: what exceeds a quota is only counted' },
          ]}
        />
      </fieldset>
      <MoreFields words={wordsOf(draft.document)} paths={['contact', 'targetP99Ms']}>
        <TextRow path="contact" label="Contact" required={false} hint="Who is asked when it misbehaves." />
        <NumberRow
          path="targetP99Ms"
          label="Promised p99"
          unit="ms"
          required={false}
          hint="Of served requests. Charts draw it."
        />
      </MoreFields>
    </>
  );
}

function wordsOf(document: Parameters<typeof valueAt>[0]): string {
  const target = valueAt(document, 'targetP99Ms');
  const contact = textAt(document, 'contact');
  return `${contact === '' ? 'no contact' : contact} · ${typeof target === 'number' ? `p99 ${target}\u00a0ms promised` : 'no latency promised'}`;
}
