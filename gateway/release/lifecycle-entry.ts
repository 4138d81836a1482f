import type { Lifecycle } from '#gateway/contract/definitions/lifecycle.ts';
import type { LifecycleEntry } from '#gateway/pipeline/indexes.ts';

/** How far a type is on its way out, with its entry in `Habitat-Deprecated` made once; null for an active one. */
export function lifecycleEntry({
  name,
  lifecycle,
}: {
  readonly name: string;
  readonly lifecycle?: Lifecycle | undefined;
}): LifecycleEntry | null {
  if (lifecycle === undefined) return null;
  const { state, since, sunset = null, replacement = null } = lifecycle;
  const parts = [
    name,
    `since=${since}`,
    ...(sunset === null ? [] : [`sunset=${sunset}`]),
    ...(replacement === null ? [] : [`replacement="${headerText(replacement)}"`]),
  ];
  return { isRefused: state === 'deprecated-error', since, sunset, replacement, header: parts.join('; ') };
}

/** A header takes printable ASCII (RFC 9110, 5.5); anything else, quotes and percent signs are percent-encoded. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]+|["%\\]/gu, encodeURIComponent);
}
