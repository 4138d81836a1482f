import type { Metadata } from 'next';
import { ErrorsView } from '#components/errors/errors-view.tsx';

export const metadata: Metadata = { title: 'API and errors' };

export default function ErrorsPage() {
  return <ErrorsView />;
}
