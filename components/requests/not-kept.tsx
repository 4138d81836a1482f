import { messageOf } from '#components/api-client.ts';
import { LinkButton } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { LOOK_AGAIN_MS } from './queries.ts';

/** No record has this id: not yet, not any more, or it was one of the many that are not kept. */
export function NotKept({ id, error }: { readonly id: string; readonly error: unknown }) {
  return (
    <Empty
      acts={
        <>
          <LinkButton href={`/audit?filter=${encodeURIComponent(`request:${id}`)}`}>Look in the audit log</LinkButton>
          <LinkButton href="/requests">Show kept requests</LinkButton>
        </>
      }
    >
      {messageOf(error)} One that was just made arrives within seconds: this page looks again every{' '}
      {LOOK_AGAIN_MS / 1_000} s for half a minute. The audit log keeps refusals and writes for longer.
    </Empty>
  );
}
