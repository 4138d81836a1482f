import { CodeMeaning } from '#components/errors/code-meaning.tsx';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import type { ErrorCode } from '#gateway/contract/errors.ts';
import { LOOK_AGAIN_MS } from './queries.ts';

interface NotKeptProps {
  readonly id: string;
  /** From the link of the refusal that named the request. */
  readonly code: ErrorCode | null;
  /** Whether the page looks again by itself. */
  readonly isLooking: boolean;
  readonly onLook: () => void;
}

/** No record has this id: not yet, not any more, or it was one of the many that are not kept. */
export function NotKept({ id, code, isLooking, onLook }: NotKeptProps) {
  return (
    <div className="grid justify-items-start gap-3 px-4 py-8">
      {code !== null && <CodeMeaning code={code} />}
      <div role="status">
        <Sentence size="prose" className="text-ink-2">
          {isLooking
            ? `No record of this request has come yet. Gateways send theirs every few seconds, so this page looks again every ${LOOK_AGAIN_MS / 1_000}\u00a0s for half a minute.`
            : 'No record of this request is kept. Refused, failed and slow requests are kept for 7 days, with a sample of the others; of very many refusals in one second only some. What cannot be read as HTTP is refused before it is a request, and leaves none.'}
        </Sentence>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {!isLooking && <Button onClick={onLook}>Look again</Button>}
        <LinkButton href={`/audit?filter=${encodeURIComponent(`request:${id}`)}`}>Look in the audit log</LinkButton>
        <LinkButton href={code === null ? '/requests' : `/requests?code=${code}`}>
          {code === null ? 'Show kept requests' : 'Show kept requests with this code'}
        </LinkButton>
      </div>
    </div>
  );
}
