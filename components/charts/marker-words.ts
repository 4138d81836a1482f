import type { TenantLatency } from '#server/contract/latency.ts';

type Marker = TenantLatency['markers'][number];

/** Whether a release brought back what an older one held. */
export const isRollback = ({ cause }: Pick<Marker, 'cause'>): boolean => /^roll(ed)?[ -]?back\b/i.test(cause);
