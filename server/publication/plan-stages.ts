import { createHash } from 'node:crypto';

/** Shares of the fleet that the stages before the last have reached, from four gateways on. */
const SHARES = [0.1, 0.5];
/** Under this many gateways there are two stages: one, then all. */
const FEW = 4;

/**
 * Which gateways take a release first: stages of names, without the last, which is everybody else. Gateways are in the
 * order of a hash of their names, so the same ones go first each time and a fleet named `gw-1…n` is not cut by number.
 * Empty for fewer than two: there is nobody to compare with.
 */
export function planStages(gateways: readonly string[]): readonly (readonly string[])[] {
  if (gateways.length < 2) return [];
  const ordered = inHashOrder(gateways);
  if (ordered.length < FEW) return [ordered.slice(0, 1)];
  let from = 0;
  const stages = SHARES.map((share) => {
    const to = Math.max(from + 1, Math.round(share * ordered.length));
    const names = ordered.slice(from, to);
    from = to;
    return names;
  });
  return stages;
}

/** The one that goes first among those that may stand in for a stage whose gateways have left. */
export function inHashOrder(names: readonly string[]): readonly string[] {
  return names.toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
}

function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}
