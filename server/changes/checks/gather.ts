import 'server-only';
import { EVIDENCE_DAYS, type KeptCalls, type OperationCost, type Use } from '#server/compile/evidence.ts';
import type { Judgement } from '#server/compile/finding.ts';
import { judgeCost } from '#server/compile/judge-cost.ts';
import { judgeQuotas, type QuotaEvidence } from '#server/compile/judge-quota.ts';
import { judgeStored, type StoredBounds } from '#server/compile/judge-stored.ts';
import { judgeTraffic } from '#server/compile/judge-traffic.ts';
import type { CheckResult } from '#server/compile/model.ts';
import type { Touched } from '#server/compile/touched.ts';
import type { SlowSection } from '#server/contract/rules.ts';
import type { Database, Reader } from '#server/db/client.ts';
import {
  readBusiestObject,
  readCosts,
  readKeptCalls,
  readSpans,
  readUses,
  readWrites,
  requestWithin,
} from '#server/db/evidence.ts';
import { readStored } from '#server/db/stored-sums.ts';

const DAY_MS = 86_400_000;
/** Types and principals that one query looks for: a check tells how far it is in steps of so many. */
const CHUNK = 50;
/** Served writes are kept this long by the hour. */
const WRITES_KEPT_MS = 90 * DAY_MS;
/** A query that takes longer is given up, and the check with it: it reads tables that gateways write to. */
const QUERY_MS = 20_000;

/** A slow check in parts: each part adds to the evidence, the judgement is made of all of them. */
export interface Plan {
  readonly parts: readonly (() => Promise<void>)[];
  judge(): Judgement;
}

/** Telemetry is summed by the hour: an hour that a count falls into is taken whole. */
const TELEMETRY_GRAIN_MS = 3_600_000;

interface Subject {
  readonly db: Database;
  readonly touched: Touched;
  readonly checked: CheckResult;
  readonly nowMs: number;
}

/** What one slow check has to look up, and what it makes of it. */
export function planOf(section: SlowSection, subject: Subject): Plan {
  switch (section) {
    case 'traffic':
      return trafficPlan(subject);
    case 'cost':
      return costPlan(subject);
    case 'live data':
      return storedPlan(subject);
  }
}

function trafficPlan({ db, touched, checked, nowMs }: Subject): Plan {
  const uses = new Map<string, Use>();
  const kept = new Map<string, KeptCalls>();
  const quotas = new Map<string, QuotaEvidence>();
  const sinceMs = nowMs - EVIDENCE_DAYS * DAY_MS;
  const look = (of: { readonly types: readonly string[]; readonly principals: readonly string[] }) => async () => {
    const [used, calls] = await within(db, async (tx) => [
      await readUses(tx, of, sinceMs),
      await readKeptCalls(tx, of, sinceMs),
    ]);
    // A pair that is looked for by its type and by its principal is one.
    for (const use of used) uses.set(`${use.tenant} ${use.principal} ${use.type}`, use);
    for (const call of calls) {
      kept.set(`${call.tenant} ${call.principal} ${call.type} ${call.newest.operation} ${call.wasForbidden}`, call);
    }
  };
  return {
    parts: [
      ...chunked(touched.types).map((types) => look({ types, principals: [] })),
      ...chunked(touched.principals).map((principals) => look({ types: [], principals })),
      ...[...touched.tenants].map((tenant) => async () => {
        quotas.set(tenant, await within(db, (tx) => quotaEvidence(tx, tenant, nowMs)));
      }),
    ],
    judge: () => {
      const { findings, summary } = judgeTraffic(touched, checked, {
        uses: [...uses.values()],
        kept: [...kept.values()],
      });
      return { findings: [...findings, ...judgeQuotas(touched, quotas)], summary };
    },
  };
}

async function quotaEvidence(db: Reader, tenant: string, nowMs: number): Promise<QuotaEvidence> {
  const spans = await readSpans(db, tenant, nowMs - DAY_MS);
  const samples = new Map<number, string | null>();
  // Only the busiest ones are ever asked for: by reads, by writes, by RU.
  for (const what of ['reads', 'writes', 'ru'] as const) {
    const busiest = spans.toSorted((a, b) => b[what] - a[what])[0];
    if (busiest !== undefined) samples.set(busiest.atMs, await requestWithin(db, tenant, busiest.atMs));
  }
  return { spans, sampleAt: (atMs) => samples.get(atMs) ?? null };
}

function costPlan({ db, touched, nowMs }: Subject): Plan {
  const costs: OperationCost[] = [];
  let firstMs = nowMs;
  const types = new Set(touched.comparisons.filter(({ edit }) => isTypeKind(edit.kind)).map(({ edit }) => edit.name));
  return {
    parts: chunked(types).map((chunk) => async () => {
      const found = await within(db, (tx) => readCosts(tx, chunk, nowMs - EVIDENCE_DAYS * DAY_MS));
      costs.push(...found.costs);
      firstMs = Math.min(firstMs, found.firstMs ?? nowMs);
    }),
    judge: () => judgeCost(touched, { costs, days: (nowMs - firstMs) / DAY_MS }),
  };
}

function storedPlan({ db, touched, nowMs }: Subject): Plan {
  const bounds = new Map<string, StoredBounds>();
  const edited = touched.comparisons.filter(({ edit, before }) => isTypeKind(edit.kind) && before !== null);
  return {
    parts: edited.map(({ edit }) => async () => {
      bounds.set(edit.name, await within(db, (tx) => boundsOf(tx, edit, nowMs)));
    }),
    judge: () => judgeStored(touched, bounds),
  };
}

async function boundsOf(db: Reader, edit: { kind: string; name: string }, nowMs: number): Promise<StoredBounds> {
  const first = await db.definitionRevision.findFirst({
    where: { kind: edit.kind, name: edit.name },
    orderBy: { revision: 'asc' },
    select: { at: true },
  });
  const sinceMs = nowMs - WRITES_KEPT_MS;
  const stored = await readStored(db, edit.name);
  return {
    // A count is of a moment; what was written since may be there too.
    stored:
      stored === null
        ? null
        : { ...stored, writesSince: await readWrites(db, edit.name, stored.asOfMs - TELEMETRY_GRAIN_MS) },
    writes: await readWrites(db, edit.name, sinceMs),
    isWhole: first !== null && first.at.getTime() >= sinceMs,
    busiest: await readBusiestObject(db, edit.name),
  };
}

function isTypeKind(kind: string): boolean {
  return kind === 'objectType' || kind === 'edgeType';
}

function chunked(names: ReadonlySet<string>): readonly (readonly string[])[] {
  const all = [...names].sort();
  return Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, at) => all.slice(at * CHUNK, (at + 1) * CHUNK));
}

/** Reads in one snapshot, and not for longer than a check may keep the tables of telemetry busy. */
function within<T>(db: Database, read: (tx: Reader) => Promise<T>): Promise<T> {
  return db.$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe(`SET LOCAL statement_timeout = ${QUERY_MS}`);
      return read(tx);
    },
    { maxWait: 10_000, timeout: 3 * QUERY_MS },
  );
}
