import type { Metadata } from 'next';
import { RequestView } from '#components/requests/request-view.tsx';
import { ErrorCode } from '#gateway/contract/errors.ts';

interface Props {
  readonly params: Promise<{ readonly id: string }>;
  /** `code` comes from the `help` of a refusal. */
  readonly searchParams: Promise<{ readonly code?: string | readonly string[] }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Request ${decodeURIComponent((await params).id)}` };
}

export default async function Page({ params, searchParams }: Props) {
  const code = ErrorCode.safeParse((await searchParams).code).data ?? null;
  return <RequestView id={decodeURIComponent((await params).id)} code={code} />;
}
