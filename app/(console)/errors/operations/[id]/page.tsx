import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { OperationView } from '#components/errors/operation-view.tsx';
import { API_OPERATIONS } from '#gateway/contract/api/api-operations.ts';

interface PageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: (await params).id };
}

export default async function OperationPage({ params }: PageProps) {
  const { id } = await params;
  const call = API_OPERATIONS.find((one) => one.id === id);
  if (call === undefined) notFound();
  return <OperationView call={call} />;
}
