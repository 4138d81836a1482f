import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

/** What figures were taken on; stands beside every one of them. */
export interface Machine {
  readonly commit: string;
  readonly isDirty: boolean;
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** Load average of the last minute when the run began. */
  readonly load: number;
}

export function readMachine(): Machine {
  const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  return {
    commit: git('rev-parse', '--short', 'HEAD'),
    isDirty: git('status', '--porcelain', '--untracked-files=no') !== '',
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

/** Above this other work takes so much of the processor that figures tell more of it than of the gateway. */
export const isLoaded = ({ load, cores }: Machine): boolean => load > cores / 2;

export function describe(machine: Machine): string {
  const { commit, isDirty, node, platform, cpu, cores, memoryGb, load } = machine;
  const tree = isDirty ? ' with changes' : '';
  const busy = isLoaded(machine) ? ' (LOADED: other work ran at the same time)' : '';
  return `commit ${commit}${tree}, Node ${node}, ${platform}, ${cores} cores of ${cpu}, ${memoryGb} GB, load ${load}${busy}`;
}
