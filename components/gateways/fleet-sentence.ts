import { plural } from '#components/ui/format-number.ts';
import type { GatewayState } from '#server/contract/shell.ts';

interface Standing {
  readonly state: GatewayState;
}

/** What the fleet is doing, as one sentence: *2 of 3 gateways serve r42; 1 rejected it.* */
export function fleetSentence(gateways: readonly Standing[], target: number | null): string {
  if (gateways.length === 0) return 'No gateway is connected, so nothing is enforced and nothing is served.';
  if (target === null)
    return `${plural(gateways.length, 'gateway')} connected. Nothing is published yet, so they deny everything.`;
  const live = countOf(gateways, 'live');
  const rest = [
    [countOf(gateways, 'applying'), 'applying it'],
    [countOf(gateways, 'waiting'), 'waiting for their stage'],
    [countOf(gateways, 'rejected'), 'rejected it'],
    [countOf(gateways, 'behind'), 'behind'],
    [countOf(gateways, 'silent'), 'silent'],
    [countOf(gateways, 'too old'), 'too old for it'],
  ] as const;
  const others = rest.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  const head =
    live === gateways.length
      ? `${allWords(live)} ${live === 1 ? 'serves' : 'serve'} r${target}`
      : `${live} of ${plural(gateways.length, 'gateway')} ${live === 1 ? 'serves' : 'serve'} r${target}`;
  return others.length === 0 ? `${head}.` : `${head}; ${others.join(', ')}.`;
}

function allWords(count: number): string {
  if (count === 1) return 'The only gateway';
  return count === 2 ? 'Both gateways' : `All ${count} gateways`;
}

function countOf(gateways: readonly Standing[], state: GatewayState): number {
  return gateways.filter((gateway) => gateway.state === state).length;
}
