import type { Metadata } from 'next';
import { LatencyView } from '#components/latency/latency-view.tsx';

export const metadata: Metadata = { title: 'Latency' };

export default function Page() {
  return <LatencyView />;
}
