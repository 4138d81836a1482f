import type { Metadata } from 'next';
import { PoliciesView } from '#components/policies/policies-view.tsx';

export const metadata: Metadata = { title: 'Policies' };

export default function Page() {
  return <PoliciesView />;
}
