import type { Effect } from '#components/ui/effect-list.tsx';
import type { ChangeDetail } from '#server/contract/changes.ts';

type ServerEffect = ChangeDetail['effects'][number];

/** The server's effects as the list of effects shows them. */
export function effectRows(effects: readonly ServerEffect[]): readonly Effect[] {
  return effects.map((effect) => ({ id: `${effect.kind} ${effect.text}`, kind: signOf(effect), what: effect.text }));
}

function signOf({ kind, tone }: ServerEffect): Effect['kind'] {
  if (tone === 'neutral') return 'changes';
  if (kind === 'access' || kind === 'keys') return tone === 'widens' ? 'allows' : 'denies';
  if (kind === 'quota') return tone === 'widens' ? 'raises' : 'lowers';
  return 'changes';
}
