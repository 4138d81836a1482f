import type { LatencyIndex } from '#server/contract/latency.ts';
import type { Home } from '#server/contract/shell.ts';

type Tenant = LatencyIndex['tenants'][number];
type Trouble = Home['rightNow'][number];

/** p99 this far above usual is unusual; a smaller difference than a millisecond never is. */
const UNUSUAL = 1.5;
const UNUSUAL_BY_US = 1_000;
/** A share of refused requests that somebody should look at, and how many requests make a share. */
const REFUSED_SHARE = 0.1;
const REFUSED_OF = 20;

/** Tenants that are slower than usual (or than promised) or refused more than a tenth, worst first. */
export function latencyTroubles({ tenants, fromMs, toMs }: LatencyIndex): readonly Trouble[] {
  return tenants.flatMap((tenant) => {
    const slow = slowness(tenant, { fromMs, toMs });
    const refused = refusals(tenant, fromMs);
    return [slow, refused].filter((trouble) => trouble !== null);
  });
}

function slowness(tenant: Tenant, span: { readonly fromMs: number; readonly toMs: number }): Trouble | null {
  const { p99Us, usualP99Us, targetP99Ms } = tenant;
  if (p99Us === null) return null;
  const limitUs = usualP99Us === null ? null : Math.max(usualP99Us * UNUSUAL, usualP99Us + UNUSUAL_BY_US);
  const targetUs = targetP99Ms === null ? null : targetP99Ms * 1_000;
  const href = `/latency/${tenant.tenant}`;
  if (limitUs !== null && p99Us > limitUs) {
    const text = `${tenant.tenant} p99 ${ms(p99Us)} ms (usual ${ms(usualP99Us ?? 0)} ms)`;
    return { text, href, severity: 'warning', sinceMs: raisedSince(tenant, limitUs, span) };
  }
  if (targetUs === null || p99Us <= targetUs) return null;
  const text = `${tenant.tenant} p99 ${ms(p99Us)} ms (target ${targetP99Ms} ms)`;
  return { text, href, severity: 'warning', sinceMs: raisedSince(tenant, targetUs, span) };
}

function refusals({ tenant, refusedShare, requests }: Tenant, fromMs: number): Trouble | null {
  if (requests < REFUSED_OF || refusedShare < REFUSED_SHARE) return null;
  const text = `${tenant}: ${Math.round(refusedShare * 100)} % of ${requests.toLocaleString('en-US')} requests were refused`;
  return { text, href: `/latency/${tenant}`, severity: 'warning', sinceMs: fromMs };
}

/** The first step of the unbroken run of raised steps that reaches to now; steps with too few requests do not break it. */
function raisedSince(
  { spark }: Tenant,
  limitUs: number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number {
  let since = spark.length;
  for (let step = spark.length - 1; step >= 0; step -= 1) {
    const p99Us = spark[step] ?? null;
    if (p99Us === null) continue;
    if (p99Us <= limitUs) break;
    since = step;
  }
  return since === spark.length ? fromMs : Math.round(fromMs + (since * (toMs - fromMs)) / spark.length);
}

function ms(us: number): string {
  return (us / 1_000).toFixed(us >= 10_000 ? 0 : 1);
}
