import type { Metadata } from 'next';
import { NewChangeView } from '#components/changes/new-change-view.tsx';

export const metadata: Metadata = { title: 'New change' };

export default function Page() {
  return <NewChangeView />;
}
