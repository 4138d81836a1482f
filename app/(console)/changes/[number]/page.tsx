import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ChangeView } from '#components/changes/change-view.tsx';

interface Props {
  readonly params: Promise<{ readonly number: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `∆${(await params).number}` };
}

export default async function Page({ params }: Props) {
  const { number } = await params;
  if (!/^[1-9]\d{0,8}$/.test(number)) notFound();
  return <ChangeView number={Number(number)} />;
}
