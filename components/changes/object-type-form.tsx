'use client';

import { textAt, valueAt } from '#components/definitions/document.ts';
import { formatBytes, formatCount } from '#components/ui/format-number.ts';
import { CLASSIFICATIONS, MAX_OBJECT_BYTES } from '#gateway/contract/definitions/object-type.ts';
import { AuditRows, auditWords } from './audit-rows.tsx';
import { CacheRow, cacheWords } from './cache-row.tsx';
import { ContentSchemaRows, contentSchemaWords } from './content-schema-rows.tsx';
import { useFormWiring } from './form-context.ts';
import { NumberRow, ProseRow, SelectRow } from './form-rows.tsx';
import { LifecycleRows, lifecycleWords } from './lifecycle-rows.tsx';
import { MoreFields } from './more-fields.tsx';
import { NameRow } from './name-row.tsx';
import { OwnerRow } from './owner-row.tsx';
import { WhoMayUse } from './who-may-use.tsx';

const CLASSIFICATION_WORDS = {
  public: 'Public: anyone may know it',
  internal: 'Internal',
  confidential: 'Confidential: the standing policy does not open it',
  restricted: 'Restricted: the standing policy does not open it',
} as const;

/** An object type: name, purpose, owner, who may use it; the rest has defaults. */
export function ObjectTypeForm({ onRenamed }: { readonly onRenamed: (key: string) => void }) {
  const { draft } = useFormWiring();
  return (
    <>
      <NameRow hint="A capital first, like Message. It stands in every URL." onRenamed={onRenamed} />
      <ProseRow path="description" label="Purpose" hint="One sentence: what one object of it is." />
      <OwnerRow />
      <WhoMayUse />
      <MoreFields
        words={wordsOf(draft.document)}
        paths={['classification', 'maxBytes', 'audit.reads', 'audit.writes', 'contentSchema', 'cache', 'lifecycle']}
      >
        <SelectRow
          path="classification"
          label="Classification"
          options={CLASSIFICATIONS.map((value) => ({ value, label: CLASSIFICATION_WORDS[value] }))}
        />
        <NumberRow
          path="maxBytes"
          label="Largest content of an object"
          unit="bytes"
          hint={`At most ${formatCount(MAX_OBJECT_BYTES)}. It can be raised later without touching stored objects.`}
        />
        <ContentSchemaRows />
        <CacheRow />
        <AuditRows />
        <LifecycleRows />
      </MoreFields>
    </>
  );
}

function wordsOf(document: Parameters<typeof valueAt>[0]): string {
  const maxBytes = valueAt(document, 'maxBytes');
  const size = typeof maxBytes === 'number' ? `up to ${formatBytes(maxBytes)}` : 'size not set';
  return `${textAt(document, 'classification')} · ${size} · ${auditWords(document)}${contentSchemaWords(document)}${cacheWords(document)}${lifecycleWords(document)}`;
}
