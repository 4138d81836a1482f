import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { Shell } from '#server/contract/shell.ts';
import { Bar } from './bar.tsx';

/** What was taken back lately, and that nothing which could widen is published; each with who said so and why. */
export function ReleaseBar({ rolledBack, freeze }: Pick<Shell, 'rolledBack' | 'freeze'>) {
  return (
    <Bar tone="hold">
      {rolledBack !== null && (
        <>
          Rolled back by {rolledBack.by.name} since <Time ms={rolledBack.sinceMs} style="second" />:{' '}
          <Token kind="release" bare href={`/releases/${rolledBack.release}`}>
            r{rolledBack.release}
          </Token>{' '}
          {rolledBack.of.mode === 'undo'
            ? `undoes r${rolledBack.of.release}`
            : `returns everything to r${rolledBack.of.release}`}
          . “{rolledBack.reason}”{' '}
        </>
      )}
      {freeze !== null && (
        <>
          Publishing is frozen by {freeze.by.name} since <Time ms={freeze.sinceMs} style="second" />: “{freeze.reason}”{' '}
          <TextLink href="/releases">Releases</TextLink>
        </>
      )}
    </Bar>
  );
}
