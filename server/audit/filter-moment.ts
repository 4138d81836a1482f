const DAY_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS };

/**
 * A moment as typed in a filter: a time of today (`13:30`, `13:30:05.120`), a day (`2026-11-30`), a day and time with
 * or without a zone (UTC when absent), how long ago (`15m`, `2h`, `7d`), or epoch milliseconds. Null when it is none.
 */
export function momentOf(text: string, nowMs: number): number | null {
  const ago = /^(\d{1,5})([smhd])$/.exec(text);
  if (ago !== null) return nowMs - Number(ago[1]) * (UNIT_MS[ago[2] ?? ''] ?? 0);
  if (/^\d{12,15}$/.test(text)) return Number(text);
  const time = /^(\d{1,2}):(\d{2})(?::(\d{2})(\.\d{1,3})?)?$/.exec(text);
  if (time !== null) {
    const [hours, minutes, seconds] = [Number(time[1]), Number(time[2]), Number(time[3] ?? 0)];
    if (hours > 23 || minutes > 59 || seconds > 59) return null;
    const ofDayMs = ((hours * 60 + minutes) * 60 + seconds) * 1_000 + Math.round(Number(time[4] ?? 0) * 1_000);
    return Math.floor(nowMs / DAY_MS) * DAY_MS + ofDayMs;
  }
  return dateOf(text);
}

function dateOf(text: string): number | null {
  const date = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i.exec(text);
  if (date === null) return null;
  const [, day = '', time = '00:00', zone = 'Z'] = date;
  // Date.parse rolls some impossible days over (30 February), so the day must survive the round trip.
  const dayMs = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(dayMs) || !new Date(dayMs).toISOString().startsWith(day)) return null;
  const atMs = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(atMs) ? null : atMs;
}
