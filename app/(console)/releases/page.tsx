import type { Metadata } from 'next';
import { ReleasesView } from '#components/releases/releases-view.tsx';

export const metadata: Metadata = { title: 'Releases' };

export default function Page() {
  return <ReleasesView />;
}
