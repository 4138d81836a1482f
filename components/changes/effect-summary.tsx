import { EffectList } from '#components/ui/effect-list.tsx';
import { FirstFew } from '#components/ui/first-few.tsx';
import type { ChangeDetail } from '#server/contract/changes.ts';
import { effectRows } from './effect-words.ts';

/** Of definitions; who gains or loses something is never cut short. */
const MOST_SHOWN = 20;

interface EffectSummaryProps {
  readonly effects: ChangeDetail['effects'];
}

/** What a change does: the definitions it touches in sentences, then who gains or loses what. */
export function EffectSummary({ effects }: EffectSummaryProps) {
  const definitions = effects.filter((effect) => effect.kind === 'types');
  const others = effects.filter((effect) => effect.kind !== 'types');
  return (
    <div className="grid gap-3">
      {definitions.length > 0 && (
        <FirstFew items={definitions} most={MOST_SHOWN} noun="sentences">
          {(shown) => (
            <ul aria-label="Definitions it touches" className="grid gap-1">
              {shown.map((effect) => (
                <li key={effect.text}>{effect.text}</li>
              ))}
            </ul>
          )}
        </FirstFew>
      )}
      <EffectList
        label="Who gains or loses what"
        effects={effectRows(others)}
        none="Nobody gains or loses access, and no quota moves."
      />
    </div>
  );
}
