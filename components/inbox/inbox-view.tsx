'use client';

import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { PageHead } from '#components/ui/page-head.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import type { Inbox } from '#server/contract/shell.ts';
import { useCloseItem, useInbox } from './queries.ts';

type Item = Inbox['items'][number];

const KINDS: Readonly<Record<Item['kind'], string>> = {
  review: 'Review asked of you',
  change: 'Your change',
  'follow-up': 'Follow-up review',
  gateway: 'Gateway',
};

/** Everything that waits for this person, newest first. */
export function InboxView() {
  const query = useInbox();
  const close = useCloseItem();
  const columns: readonly [LedgerColumn<Item>, ...LedgerColumn<Item>[]] = [
    { key: 'what', head: 'What', cell: (item) => <span className="text-prose">{item.text}</span> },
    {
      key: 'kind',
      head: 'Kind',
      width: '12rem',
      cell: (item) => <span className="text-ink-2">{KINDS[item.kind]}</span>,
    },
    { key: 'since', head: 'Since', width: '8rem', align: 'right', cell: (item) => <Time ms={item.atMs} style="ago" /> },
    {
      key: 'close',
      head: '',
      width: '6rem',
      align: 'right',
      phone: 'end',
      cell: (item) => item.closable && <CloseButton item={item} onClose={() => close.mutate(item.id)} />,
    },
  ];
  return (
    <>
      <PageHead title="Inbox">
        <Sentence size="prose">
          An item closes by itself when it is handled. You close a follow-up review once you have looked at it.
        </Sentence>
      </PageHead>
      {close.isError && (
        <p role="alert" className="mb-3 text-danger">
          The item stays open. {messageOf(close.error)}
        </p>
      )}
      <Ruled>
        <QueryView query={query} label="Inbox">
          {({ items }) =>
            items.length === 0 ? (
              <Empty acts={<TextLink href="/changes">See all open changes</TextLink>}>
                Nothing waits for you. Reviews asked of you, news of your changes and follow-up reviews come here.
              </Empty>
            ) : (
              <Ledger
                label="Inbox"
                columns={columns}
                rows={items}
                rowKey={(item) => item.id}
                href={(item) => item.href}
              />
            )
          }
        </QueryView>
      </Ruled>
    </>
  );
}

function CloseButton({ item, onClose }: { readonly item: Item; readonly onClose: () => void }) {
  return (
    <Button look="quiet" onClick={onClose} aria-label={`Close: ${item.text}`}>
      Close
    </Button>
  );
}
