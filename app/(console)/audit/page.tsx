import type { Metadata } from 'next';
import { AuditView } from '#components/audit/audit-view.tsx';

export const metadata: Metadata = { title: 'Audit' };

export default function Page() {
  return <AuditView />;
}
