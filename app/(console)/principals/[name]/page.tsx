import type { Metadata } from 'next';
import { PrincipalView } from '#components/tenants/principal-view.tsx';

interface Props {
  readonly params: Promise<{ readonly name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodeURIComponent((await params).name) };
}

export default async function Page({ params }: Props) {
  return <PrincipalView name={decodeURIComponent((await params).name)} />;
}
