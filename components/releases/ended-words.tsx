import type { EndedRollout } from '#server/contract/rollouts.ts';

/** What an act does to the release that goes out meanwhile. */
export function EndedWords({ ends }: { readonly ends: EndedRollout }) {
  return (
    <>
      It ends the rollout of r{ends.release}, which not every gateway has yet
      {ends.change === null ? '.' : `; ∆${ends.change} ${ends.title} is approved again and can be published anew.`}
    </>
  );
}
