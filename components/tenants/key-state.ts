import type { MarkKind } from '#components/ui/mark.tsx';
import type { Tone } from '#components/ui/tone.ts';
import type { PrincipalKey } from '#server/contract/definitions.ts';

/** How long before its end a key reads *Ends soon*. */
const SOON_MS = 7 * 86_400_000;

/** State of a key or a token as its row shows it. A revoked one stays revoked whatever its end was. */
export function keyState(
  key: Pick<PrincipalKey, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): { readonly mark: MarkKind; readonly tone: Tone; readonly word: string } {
  if (key.revokedAtMs !== null) return { mark: 'cross', tone: 'danger', word: 'Revoked' };
  if (key.expiresAtMs === null) return { mark: 'check', tone: 'ok', word: 'Live' };
  if (key.expiresAtMs <= nowMs) return { mark: 'dashed', tone: 'neutral', word: 'Ended' };
  if (key.expiresAtMs - nowMs <= SOON_MS) return { mark: 'triangle', tone: 'warn', word: 'Ends soon' };
  return { mark: 'check', tone: 'ok', word: 'Live' };
}
