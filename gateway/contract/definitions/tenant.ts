import { z } from 'zod';
import { TeamName } from '../ids.ts';

const perSecond = z.int().min(0).max(10_000_000);

/** Quotas of a tenant: fleet-wide limits; `inFlight` is per gateway. */
export const TenantQuotas = z.strictObject({
  readsPerSecond: perSecond,
  writesPerSecond: perSecond,
  ruPerSecond: perSecond,
  inFlight: z.int().min(1).max(100_000),
});
export type TenantQuotas = z.infer<typeof TenantQuotas>;

/** The document of a tenant. Data, keys, quotas and charts belong to one tenant. */
export const TenantDocument = z.strictObject({
  ownerTeam: TeamName,
  displayName: z.string().min(1).max(100),
  contact: z.string().max(200).optional(),
  /** p99 of served requests, milliseconds, that the tenant was promised. */
  targetP99Ms: z.int().min(1).max(60_000).optional(),
  quotas: TenantQuotas,
  /** In shadow mode a quota is only counted, never enforced. */
  mode: z.enum(['enforce', 'shadow']),
});
export type TenantDocument = z.infer<typeof TenantDocument>;
