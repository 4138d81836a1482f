import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ErrorView } from '#components/errors/error-view.tsx';
import { ErrorCode } from '#gateway/contract/errors.ts';

interface PageProps {
  readonly params: Promise<{ readonly code: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: (await params).code };
}

export default async function ErrorPage({ params }: PageProps) {
  const code = ErrorCode.safeParse((await params).code);
  if (!code.success) notFound();
  return <ErrorView code={code.data} />;
}
