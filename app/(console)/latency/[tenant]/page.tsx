import type { Metadata } from 'next';
import { TenantLatencyView } from '#components/latency/tenant-latency-view.tsx';

interface Props {
  readonly params: Promise<{ readonly tenant: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Latency of ${decodeURIComponent((await params).tenant)}` };
}

export default async function Page({ params }: Props) {
  return <TenantLatencyView tenant={decodeURIComponent((await params).tenant)} />;
}
