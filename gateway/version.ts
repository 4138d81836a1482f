/** Version of this gateway, compared with a release's `minGatewayVersion`. */
export const GATEWAY_VERSION = '0.2.0';

/** Whether `version` is at least `needed`, both semver cores (`1.4.0`); false for what is not one. */
export function isAtLeast(version: string, needed: string): boolean {
  const [have, want] = [version, needed].map((text) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number));
  if (have === undefined || want === undefined) return false;
  for (const [index, part] of have.entries()) {
    const other = want[index] ?? 0;
    if (part !== other) return part > other;
  }
  return true;
}
