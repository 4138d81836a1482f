import { execFileSync } from 'node:child_process';
import type { Run } from './command.ts';
import { usageError } from './exit.ts';

/**
 * The repository that keeps the files: --source, HABITAT_SOURCE, or the address of git's remote `origin`, without what a
 * secret could hide in.
 */
export function sourceOf({ line, terminal }: Run, folder: string): string {
  const given = line.text('source') ?? terminal.env.HABITAT_SOURCE ?? null;
  if (given !== null && given.trim() !== '') return given.trim();
  const remote = gitRemote(folder);
  if (remote !== null) return withoutSecret(remote);
  throw usageError('Say which repository keeps these files: --source NAME, or set HABITAT_SOURCE.');
}

function gitRemote(folder: string): string | null {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', ['remote', 'get-url', 'origin'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: [...stdio],
    }).trim();
  } catch {
    // No git, no repository or no remote: the person says it.
    return null;
  }
}

/** `https://user:token@host/x.git` and `git@host:x.git` become what a browser opens. */
export function withoutSecret(remote: string): string {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(remote);
  const address = scp === null ? remote : `https://${scp[1]}/${scp[2]}`;
  if (!URL.canParse(address)) return address.replace(/\.git$/, '');
  const { protocol, host, pathname } = new URL(address);
  const scheme = protocol === 'ssh:' || protocol === 'git:' ? 'https:' : protocol;
  return `${scheme}//${host}${pathname}`.replace(/\.git$/, '').replace(/\/$/, '');
}
