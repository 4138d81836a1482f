import type { Metadata } from 'next';
import { RequestView } from '#components/requests/request-view.tsx';

interface Props {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Request ${decodeURIComponent((await params).id)}` };
}

export default async function Page({ params }: Props) {
  return <RequestView id={decodeURIComponent((await params).id)} />;
}
