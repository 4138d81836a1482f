import { plural } from '#components/ui/format-number.ts';
import type { BackgroundPage, BackgroundRange } from '#server/contract/background.ts';

/** Read further back than this, and inverses may be missing for as long. */
const BEHIND_MS = 60_000;

/** What gateways do in the background, as one sentence: *1 entry is parked, 3 wait for another try.* */
export function backgroundSentence({ counts, ranges }: Pick<BackgroundPage, 'counts' | 'ranges'>): string {
  const said = [
    counts.parked === 0
      ? null
      : `${plural(counts.parked, 'entry', 'entries')} ${counts.parked === 1 ? 'is' : 'are'} parked`,
    counts.waiting === 0
      ? null
      : `${plural(counts.waiting, 'entry', 'entries')} ${counts.waiting === 1 ? 'waits' : 'wait'} for another try`,
    counts.sweeps === 0
      ? null
      : `${plural(counts.sweeps, 'object')} ${counts.sweeps === 1 ? 'is' : 'are'} being deleted`,
    counts.drift === 0 ? null : `${plural(counts.drift, 'object')} drifted`,
  ].filter((part) => part !== null);
  const trouble = rangeTrouble(ranges);
  const head = said.length === 0 ? 'Nothing is left behind' : said.join(', ');
  return trouble === null ? `${head}.` : `${head}; ${trouble}.`;
}

/** Why what is on screen may not be all; null while every range is worked on. */
function rangeTrouble(ranges: readonly BackgroundRange[]): string | null {
  if (ranges.length === 0) return 'no gateway has told of its work yet';
  const silent = ranges.filter(({ isSilent }) => isSilent).length;
  if (silent > 0) return `${silent} of ${plural(ranges.length, 'range')} not heard of lately`;
  const stuck = ranges.filter(({ problem }) => problem !== null).length;
  if (stuck > 0) return `${stuck} of ${plural(ranges.length, 'range')} cannot go on`;
  const behind = ranges.filter(({ lagMs }) => lagMs !== null && lagMs > BEHIND_MS).length;
  return behind === 0 ? null : `${behind} of ${plural(ranges.length, 'range')} behind`;
}
