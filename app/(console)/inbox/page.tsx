import type { Metadata } from 'next';
import { InboxView } from '#components/inbox/inbox-view.tsx';

export const metadata: Metadata = { title: 'Inbox' };

export default function InboxPage() {
  return <InboxView />;
}
