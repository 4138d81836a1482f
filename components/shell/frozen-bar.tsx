import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import type { Freeze } from '#server/contract/rollouts.ts';
import { Bar } from './bar.tsx';

/** Nothing that could widen is published, and who said so. */
export function FrozenBar({ freeze }: { readonly freeze: Freeze }) {
  return (
    <Bar tone="hold">
      Publishing is frozen by {freeze.by.name} since <Time ms={freeze.sinceMs} style="second" />: “{freeze.reason}”{' '}
      <TextLink href="/releases">Releases</TextLink>
    </Bar>
  );
}
