import { handle } from '#server/http/handle.ts';
import { LowerQuotaInput, lowerQuota } from '#server/tenants/lower-quota.ts';

export const POST = handle(LowerQuotaInput, lowerQuota);
