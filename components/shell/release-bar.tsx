import { Fragment } from 'react';
import { messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { Shell, StandingRollback } from '#server/contract/shell.ts';
import { Bar } from './bar.tsx';
import { useReadRollback } from './queries.ts';

/** What was taken back and still holds, and that nothing which could widen is published; each with who said so and why. */
export function ReleaseBar({ rolledBack, freeze }: Pick<Shell, 'rolledBack' | 'freeze'>) {
  const [newest] = rolledBack;
  return (
    <Bar tone="hold">
      {newest !== undefined && <RollbackSentence rollback={newest} others={rolledBack.slice(1)} />}
      {freeze !== null && (
        <>
          Publishing is frozen by {freeze.by.name} since <Time ms={freeze.sinceMs} style="second" />: “{freeze.reason}”{' '}
          <TextLink href="/releases">Releases</TextLink>
        </>
      )}
    </Bar>
  );
}

interface RollbackProps {
  readonly rollback: StandingRollback;
  /** Older ones that hold as well. */
  readonly others: readonly StandingRollback[];
}

function RollbackSentence({ rollback, others }: RollbackProps) {
  const read = useReadRollback();
  const { release, of, by, reason, sinceMs, holds } = rollback;
  return (
    <>
      Rolled back by {by.name} since <Time ms={sinceMs} style="second" />: <ReleaseLink number={release} />{' '}
      {of.mode === 'undo' ? `undoes r${of.release}` : `returns everything to r${of.release}`}. “{reason}”{' '}
      <Held holds={holds} />{' '}
      {others.length > 0 && (
        <>
          Also rolled back:{' '}
          {others.map((other, index) => (
            <span key={other.release}>
              {index > 0 && ', '}
              <ReleaseLink number={other.release} />
            </span>
          ))}
          .{' '}
        </>
      )}
      <Button
        look="quiet"
        pending={read.isPending}
        aria-label={`Mark the rollback r${release} as read`}
        onClick={() => read.mutate(release)}
      >
        Mark as read
      </Button>
      {read.isError && <span role="alert">It is not marked. {messageOf(read.error)} </span>}
    </>
  );
}

function ReleaseLink({ number }: { readonly number: number }) {
  return (
    <Token kind="release" bare href={`/releases/${number}`}>
      r{number}
    </Token>
  );
}

/** *Message and User are as it left them.* */
function Held({ holds: { count, names } }: Pick<StandingRollback, 'holds'>) {
  const rest = count - names.length;
  return (
    <>
      {names.map((name, at) => (
        <Fragment key={name}>
          {at > 0 && (at === names.length - 1 && rest === 0 ? ' and ' : ', ')}
          <bdi className="font-mono text-[0.9375em]">{name}</bdi>
        </Fragment>
      ))}
      {rest > 0 && ` and ${rest} more`}
      {count === 1 ? ' is as it left it.' : ' are as it left them.'}
    </>
  );
}
