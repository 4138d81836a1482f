import type { Metadata } from 'next';
import { GatewaysView } from '#components/gateways/gateways-view.tsx';

export const metadata: Metadata = { title: 'Gateways' };

export default function Page() {
  return <GatewaysView />;
}
