import type { Metadata } from 'next';
import { ChangesView } from '#components/changes/changes-view.tsx';

export const metadata: Metadata = { title: 'Changes' };

export default function Page() {
  return <ChangesView />;
}
