import { HOME_RANGE, type LatencyIndex } from '#server/contract/latency.ts';
import type { Home } from '#server/contract/shell.ts';

type Tenant = LatencyIndex['tenants'][number];
type Trouble = Home['rightNow'][number];

/** p99 this far above usual is unusual; a smaller difference than a millisecond never is. */
const UNUSUAL = 1.5;
const UNUSUAL_BY_US = 1_000;
/** A share of refused requests that somebody should look at, and how many requests make a share. */
const REFUSED_SHARE = 0.1;
const REFUSED_OF = 20;

/**
 * Tenants that are slower than usual (or than promised) or refused more than a tenth, worst first. Every figure says the
 * time that it is of, and leads to the page of that time.
 */
export function latencyTroubles({ tenants, fromMs, toMs }: LatencyIndex): readonly Trouble[] {
  const span = { fromMs, toMs, words: `in the last ${Math.round((toMs - fromMs) / 60_000)} min` };
  return tenants.flatMap((tenant) => {
    const slow = slowness(tenant, span);
    const refused = refusals(tenant, span);
    return [slow, refused].filter((trouble) => trouble !== null);
  });
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly words: string;
}

function slowness(tenant: Tenant, span: Span): Trouble | null {
  const { p99Us, usualP99Us, targetP99Ms } = tenant;
  if (p99Us === null) return null;
  const limitUs = usualP99Us === null ? null : Math.max(usualP99Us * UNUSUAL, usualP99Us + UNUSUAL_BY_US);
  const targetUs = targetP99Ms === null ? null : targetP99Ms * 1_000;
  const href = hrefOf(tenant);
  if (limitUs !== null && p99Us > limitUs) {
    const text = `${tenant.tenant} p99 ${ms(p99Us)} ms ${span.words} (usual ${ms(usualP99Us ?? 0)} ms)`;
    return { text, href, severity: 'warning', sinceMs: raisedSince(tenant, limitUs, span) };
  }
  if (targetUs === null || p99Us <= targetUs) return null;
  const text = `${tenant.tenant} p99 ${ms(p99Us)} ms ${span.words} (target ${targetP99Ms} ms)`;
  return { text, href, severity: 'warning', sinceMs: raisedSince(tenant, targetUs, span) };
}

function refusals(row: Tenant, { words }: Span): Trouble | null {
  const { tenant, refusedShare, requests } = row;
  if (requests < REFUSED_OF || refusedShare < REFUSED_SHARE) return null;
  const text = `${tenant}: ${Math.round(refusedShare * 100)} % of ${requests.toLocaleString('en-US')} requests ${words} were refused`;
  return { text, href: hrefOf(row), severity: 'warning', sinceMs: null };
}

/** The same time that Home looks at. */
function hrefOf({ tenant }: Tenant): string {
  return `/latency/${encodeURIComponent(tenant)}?range=${HOME_RANGE}`;
}

/**
 * The first step of the unbroken run of raised steps that reaches to the end; steps with too few requests do not break it.
 * Null when no such run begins within the time: it is over again, or older.
 */
function raisedSince({ spark }: Tenant, limitUs: number, { fromMs, toMs }: Span): number | null {
  let since = spark.length;
  for (let step = spark.length - 1; step >= 0; step -= 1) {
    const p99Us = spark[step] ?? null;
    if (p99Us === null) continue;
    if (p99Us <= limitUs) break;
    since = step;
  }
  return since === spark.length || since === 0 ? null : Math.round(fromMs + (since * (toMs - fromMs)) / spark.length);
}

function ms(us: number): string {
  return (us / 1_000).toFixed(us >= 10_000 ? 0 : 1);
}
