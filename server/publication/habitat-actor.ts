import { randomUUID } from 'node:crypto';
import type { Person } from '#server/contract/people.ts';

/** Who acts when nobody asked: an automatic promotion, a halt by measurement. */
export const HABITAT: Person = { id: 'habitat', name: 'Habitat' };

/** The actor of an audit row that no person caused. */
export function bySystem(nowMs: number) {
  return { actor: { ...HABITAT, roles: [], kind: 'system' }, requestId: `auto ${randomUUID()}`, nowMs };
}
