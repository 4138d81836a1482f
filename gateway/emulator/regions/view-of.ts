import type { ConsistencyLevel } from '#gateway/contract/local-cosmos.ts';
import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import type { FaultSubject } from '#gateway/emulator/faults/fault-book.ts';
import { type CosmosRequest, header } from '#gateway/emulator/http/cosmos-request.ts';
import { type Region, takesWrites } from './region.ts';

/** Each partition of a region is kept four times. */
const REPLICAS = 4;

/**
 * What a read of this region sees. A Strong read sees the latest commit, and so does BoundedStaleness in the region that
 * takes the writes: both ask a quorum. Elsewhere BoundedStaleness sees as far as its region has come; all weaker
 * levels see what one replica, drawn at random, has.
 */
export function viewForRead(region: Region, request: CosmosRequest, subject: FaultSubject): Endpoint {
  const { account } = region;
  const level = header(request, 'x-ms-consistency-level') ?? account.endpoint.consistency;
  const asksQuorum = level === ('BoundedStaleness' satisfies ConsistencyLevel);
  if (level === ('Strong' satisfies ConsistencyLevel) || (asksQuorum && takesWrites(region))) {
    return account.endpoint;
  }
  const replica = Math.floor(account.random() * REPLICAS);
  let seen = account.endpoint;
  let seenLagMs = 0;
  account.faults.meet(subject, (effect, id) => {
    if (effect.kind !== 'lag' && effect.kind !== 'replicaLag') return false;
    if (effect.kind === 'replicaLag' && (asksQuorum || replica >= effect.replicas)) return false;
    const view = account.views.of(id);
    if (view === undefined) return false;
    const lagMs = effect.lagMs ?? Number.POSITIVE_INFINITY;
    if (lagMs > seenLagMs) {
      seen = view;
      seenLagMs = lagMs;
    }
    return true;
  });
  return seen;
}

/** What a write of this region finds: always the latest commit, and expired items when a fault keeps them. */
export function viewForWrite({ account }: Region, subject: FaultSubject): Endpoint {
  let keepsExpired = false;
  account.faults.meet(subject, (effect) => {
    if (effect.kind !== 'keepExpired') return false;
    keepsExpired = true;
    return true;
  });
  return keepsExpired ? { ...account.endpoint, keepsExpired } : account.endpoint;
}
