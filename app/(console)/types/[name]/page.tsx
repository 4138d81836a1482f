import type { Metadata } from 'next';
import { TypeView } from '#components/registry/type-view.tsx';

interface Props {
  readonly params: Promise<{ readonly name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodeURIComponent((await params).name) };
}

export default async function Page({ params }: Props) {
  return <TypeView name={decodeURIComponent((await params).name)} />;
}
