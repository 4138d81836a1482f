import type { Metadata } from 'next';
import { TenantsView } from '#components/tenants/tenants-view.tsx';

export const metadata: Metadata = { title: 'Tenants' };

export default function Page() {
  return <TenantsView />;
}
