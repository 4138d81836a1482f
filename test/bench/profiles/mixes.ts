import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Operations of a mix. `page` is one batch of reads, `update` and `new` tell writes of edges apart. */
export const OPERATIONS = [
  'object.get',
  'edge.get',
  'edge.list',
  'edge.list.time',
  'edge.count',
  'object.update',
  'object.create',
  'object.delete',
  'edge.put',
  'edge.put.new',
  'edge.put.update',
  'edge.delete',
  'edge.changeType',
  'read_txn',
  'write_txn',
] as const;
export type MixOperation = (typeof OPERATIONS)[number];

const Weights = z.partialRecord(z.enum(OPERATIONS), z.number());

/** What clients send: how often what, of which size, and how unevenly. */
export interface Mix {
  readonly name: string;
  /** Where the figures were published. */
  readonly source: string;
  readonly weights: Readonly<Partial<Record<MixOperation, number>>>;
  readonly objectBytes: number;
  readonly edgeBytes: number;
  /** Exponent of Zipf's law over the objects that are read. */
  readonly skew: number;
  readonly listLimit: (random: () => number) => number;
}

const Tao = z.object({
  source: z.string(),
  mix_percent: Weights,
  shape: z.object({
    edge_list_limit_1_percent: z.number(),
    edge_list_limit_ge_1000_percent_of_rest: z.number(),
    edge_data_mean_bytes: z.number(),
    object_mean_bytes: z.number(),
  }),
});

const Link = z.object({
  source: z.string(),
  mix_percent: Weights,
  shape: z.object({
    edge_data_median_bytes: z.number(),
    object_median_bytes: z.number(),
    zipf: z.object({ object_read: z.number() }),
  }),
  out_degree_cdf: z.array(z.tuple([z.number(), z.number()])),
});

const Shares = z.object({
  read: z.number(),
  write: z.number(),
  read_txn: z.number(),
  write_txn: z.number(),
  reads: Weights,
  writes: Weights,
});
const TaoBench = z.object({ source: z.string(), a: Shares, o: Shares, value_bytes: z.number() });

function read<T>(name: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(readFileSync(new URL(`../workloads/${name}.json`, import.meta.url), 'utf8')));
}

const MOST_LIMIT = 1_000;
/** Between one edge and a thousand the publication says nothing; a screenful it is. */
const SOME = 50;

/** Skew of reads where none was published: the one that LinkBench has for objects. */
export function readMixes(): {
  readonly mixes: readonly Mix[];
  readonly outDegree: readonly (readonly [number, number])[];
} {
  const [tao, link, bench] = [read('tao2013', Tao), read('linkbench2013', Link), read('taobench', TaoBench)];
  const skew = link.shape.zipf.object_read;
  const { shape } = tao;
  const taoLimit = (random: () => number): number => {
    if (random() * 100 < shape.edge_list_limit_1_percent) return 1;
    return random() * 100 < shape.edge_list_limit_ge_1000_percent_of_rest ? MOST_LIMIT : SOME;
  };
  const taoBench = (variant: 'a' | 'o'): Mix => ({
    ...{ name: `taobench ${variant}`, source: bench.source, weights: flatten(bench[variant]), skew },
    ...{ objectBytes: bench.value_bytes, edgeBytes: bench.value_bytes, listLimit: () => SOME },
  });
  return {
    outDegree: link.out_degree_cdf,
    mixes: [
      {
        ...{ name: 'tao2013', source: tao.source, weights: tao.mix_percent, skew, listLimit: taoLimit },
        ...{ objectBytes: shape.object_mean_bytes, edgeBytes: Math.round(shape.edge_data_mean_bytes) },
      },
      {
        ...{ name: 'linkbench2013', source: link.source, weights: link.mix_percent, skew, listLimit: () => MOST_LIMIT },
        ...{ objectBytes: link.shape.object_median_bytes, edgeBytes: link.shape.edge_data_median_bytes },
      },
      taoBench('a'),
      taoBench('o'),
    ],
  };
}

function flatten({ read, write, read_txn, write_txn, reads, writes }: z.infer<typeof Shares>): Mix['weights'] {
  const part = (weights: z.infer<typeof Weights>, share: number) => {
    const whole = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    return Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, (weight / whole) * share]));
  };
  return { ...part(reads, read), ...part(writes, write), read_txn, write_txn };
}
