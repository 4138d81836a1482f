import { ObjectId, ObjectTypeName, type TenantName } from '#gateway/contract/ids.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey, StoreMeter, WriteCall } from '#gateway/pipeline/store-port.ts';
import { createParts, type StoreOptions } from '#gateway/store/create-store.ts';
import { unescapeId } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { type CountDrift, recount } from './recount.ts';
import { type InverseDrift, verifyInverses } from './verify-inverses.ts';
import { walkPartitions } from './walk-partitions.ts';

export interface RepairWish {
  readonly tenant: TenantName;
  /** Null for all types of the tenant. */
  readonly type: ObjectTypeName | null;
  readonly isDryRun: boolean;
  /** Request units a second that it may use at most, over its whole run. */
  readonly maxRuPerSecond: number;
  /** Edge types that have an inverse or are one, by the object type that they start at. */
  readonly mirrored: (type: string) => readonly EdgeRule[];
}

export interface RepairPorts {
  readonly onDrift: (
    key: ObjectKey,
    drift: { readonly counts: CountDrift | null; readonly inverses: readonly InverseDrift[] },
  ) => void;
  readonly onRefused: (pk: string, message: string) => void;
  readonly pause: (ms: number) => Promise<void>;
}

export interface RepairEnd {
  readonly objects: number;
  readonly drifted: number;
  readonly refused: number;
  readonly usedRu: number;
}

const OBJECT_WITHIN_MS = 60_000;

/**
 * Recounts every object of a tenant and looks at both halves of its mirrored edges, one object after another. Without
 * `isDryRun` it fixes what it finds, each fix guarded by what it read. Safe beside live traffic and beside itself.
 */
export async function runRepair(options: StoreOptions, wish: RepairWish, ports: RepairPorts): Promise<RepairEnd> {
  const parts = createParts(options);
  let usedRu = 0;
  const meter: StoreMeter = {
    add: ({ ru }) => {
      usedRu += ru;
    },
  };
  const startedMs = parts.now();
  const end = { objects: 0, drifted: 0, refused: 0 };
  try {
    const prefix = wish.type === null ? `${wish.tenant}|` : `${wish.tenant}|${wish.type}|`;
    const partitions = walkPartitions(parts, prefix, meter);
    for (let next = await partitions.next(); ; next = await partitions.next()) {
      if (next.done === true) {
        if (next.value !== null) throw new Error(next.value.message);
        return { ...end, usedRu };
      }
      end.objects += 1;
      const outcome = await repairObject(parts, { pk: next.value, wish, ports }, newCall(parts, meter));
      if (outcome !== 'well') end[outcome] += 1;
      const dueMs = startedMs + (usedRu / wish.maxRuPerSecond) * 1_000;
      if (dueMs > parts.now()) await ports.pause(dueMs - parts.now());
    }
  } finally {
    await parts.account.close();
  }
}

interface One {
  readonly pk: string;
  readonly wish: RepairWish;
  readonly ports: RepairPorts;
}

async function repairObject(
  parts: StoreParts,
  { pk, wish, ports }: One,
  call: WriteCall,
): Promise<'well' | 'drifted' | 'refused'> {
  const fix = !wish.isDryRun;
  const counted = await recount(parts, { pk, fix }, call);
  if (isDenial(counted)) {
    ports.onRefused(pk, counted.message);
    return 'refused';
  }
  const key = keyOf(wish.tenant, pk);
  const rules = wish.mirrored(key.type);
  const verified = await verifyInverses(parts, { key, items: counted.items, rules, fix }, call);
  if (isDenial(verified)) {
    ports.onRefused(pk, verified.message);
    return 'refused';
  }
  if (counted.drift === null && verified.drift.length === 0) return 'well';
  ports.onDrift(key, { counts: counted.drift, inverses: verified.drift });
  return 'drifted';
}

function keyOf(tenant: TenantName, pk: string): ObjectKey {
  const [, type = '', id = ''] = pk.split('|');
  return { tenant, type: ObjectTypeName.parse(type), id: ObjectId.parse(unescapeId(id)) };
}

function newCall(parts: StoreParts, meter: StoreMeter): WriteCall {
  return {
    requestId: `repair-${parts.newUlid()}`,
    deadlineAtMs: parts.now() + OBJECT_WITHIN_MS,
    consistency: 'critical',
    session: [],
    idempotency: null,
    meter,
  };
}
