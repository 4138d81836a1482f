import type { Metadata } from 'next';
import { RequestsView } from '#components/requests/requests-view.tsx';

export const metadata: Metadata = { title: 'Requests' };

export default function Page() {
  return <RequestsView />;
}
