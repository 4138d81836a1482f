import type { Metadata } from 'next';
import { TypesView } from '#components/registry/types-view.tsx';

export const metadata: Metadata = { title: 'Types' };

export default function Page() {
  return <TypesView />;
}
