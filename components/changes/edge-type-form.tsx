'use client';

import { textAt, valueAt } from '#components/definitions/document.ts';
import { formatBytes, formatCount } from '#components/ui/format-number.ts';
import { MAX_EDGE_DATA_BYTES, MAX_EDGES, MAX_LIST_CAP } from '#gateway/contract/definitions/edge-type.ts';
import { AuditRows, auditWords } from './audit-rows.tsx';
import { CacheRow, cacheWords } from './cache-row.tsx';
import { useFormWiring } from './form-context.ts';
import { NumberRow, ProseRow, SelectRow } from './form-rows.tsx';
import { InverseRow } from './inverse-row.tsx';
import { LifecycleRows, lifecycleWords } from './lifecycle-rows.tsx';
import { MoreFields } from './more-fields.tsx';
import { NameRow } from './name-row.tsx';
import { OwnerRow } from './owner-row.tsx';
import { forwardOf } from './pair-inverse.ts';
import { ReferenceRow } from './reference-row.tsx';
import { WhoMayUse } from './who-may-use.tsx';

const MORE = ['listCap', 'maxEdges', 'dataMaxBytes', 'audit.reads', 'audit.writes', 'cache', 'lifecycle'] as const;

/** An edge type: what it connects, how many, and its inverse; the rest has defaults. */
export function EdgeTypeForm({ onRenamed }: { readonly onRenamed: (key: string) => void }) {
  const { draft, book } = useFormWiring();
  const forward = draft.base === null ? forwardOf(book, draft.name) : undefined;
  return (
    <>
      {forward !== undefined && (
        <p className="border-line border-l-2 pl-3 text-ink-2">
          The inverse of <span className="font-mono">{forward.name}</span>: its ends, owner and audit follow from there.
        </p>
      )}
      <NameRow
        hint="A small letter first, like messages. It reads from the first end to the second."
        onRenamed={onRenamed}
      />
      <div className="grid gap-5 tablet:grid-cols-2">
        <ReferenceRow path="from" label="From" kind="objectType" isFixed={forward !== undefined} />
        <ReferenceRow path="to" label="To" kind="objectType" isFixed={forward !== undefined} />
      </div>
      <ProseRow path="description" label="Purpose" hint="One sentence: what an edge of it says." />
      {forward === undefined && (
        <>
          <SelectRow
            path="cardinality"
            label="How many for each object"
            options={[
              { value: 'many', label: 'Many, listed newest first' },
              { value: 'one', label: 'At most one' },
            ]}
          />
          <InverseRow />
          <OwnerRow />
        </>
      )}
      <WhoMayUse />
      <MoreFields words={wordsOf(draft.document)} paths={MORE}>
        <NumberRow
          path="maxEdges"
          label="Most edges of one object"
          unit="edges"
          hint={`At most ${formatCount(MAX_EDGES)}. One more is refused as limit_exceeded.`}
        />
        <NumberRow
          path="listCap"
          label="Most edges in one page of a list"
          unit="edges"
          hint={`At most ${formatCount(MAX_LIST_CAP)}. A larger limit is cut to it, and the reply says so.`}
        />
        <NumberRow
          path="dataMaxBytes"
          label="Largest data of an edge"
          unit="bytes"
          hint={`At most ${formatCount(MAX_EDGE_DATA_BYTES)}. For a label or a flag; content belongs in an object.`}
        />
        <CacheRow />
        <AuditRows />
        <LifecycleRows />
      </MoreFields>
    </>
  );
}

function wordsOf(document: Parameters<typeof valueAt>[0]): string {
  const number = (path: string) => {
    const value = valueAt(document, path);
    return typeof value === 'number' ? value : undefined;
  };
  const most = number('maxEdges');
  const data = number('dataMaxBytes');
  const edges =
    textAt(document, 'cardinality') === 'one'
      ? 'one edge'
      : `up to ${most === undefined ? '…' : formatCount(most)} edges`;
  return `${edges} · data ${data === undefined ? 'not set' : `up to ${formatBytes(data)}`} · ${auditWords(document)}${cacheWords(document)}${lifecycleWords(document)}`;
}
