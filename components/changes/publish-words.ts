import type { ChangeDetail } from '#server/contract/changes.ts';
import type { RolloutRules } from '#server/contract/rollouts.ts';
import type { Shell } from '#server/contract/shell.ts';

interface Fleet {
  /** As the rail shows them; undefined until they are known. */
  readonly gateways: Shell['gateways'] | undefined;
  /** Whether releases go out in stages; undefined until it is known. */
  readonly staged: RolloutRules['staged'] | undefined;
}

/** Where the release of a change goes, on the gateways that are there now. */
export function publishWords({ emergency }: Pick<ChangeDetail, 'emergency'>, { gateways, staged }: Fleet): string {
  const next = 'It becomes the next release';
  const heard = gateways?.filter(({ state }) => state !== 'silent' && state !== 'too old');
  if (heard === undefined) return `${next}. This page shows each step.`;
  const [only] = heard;
  if (only === undefined) return `${next}. No gateway is connected that could serve it; it is live once one is.`;
  if (heard.length === 1) return `${next} and goes to ${only.name}. This page shows when it is live.`;
  if (emergency || staged === false) return `${next} and goes to all ${heard.length} gateways at once.`;
  if (staged === undefined) return `${next}. This page shows each step.`;
  return `${next}. It goes to some of the ${heard.length} gateways first and then on; while another release goes out it waits for that. This page shows each step.`;
}
