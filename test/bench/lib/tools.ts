import { spawnSync } from 'node:child_process';

export interface Tool {
  readonly name: string;
  readonly argument: string;
  readonly install: string;
}

export const NGINX: Tool = { name: 'nginx', argument: '-v', install: 'apt-get install nginx-light' };
export const H2LOAD: Tool = { name: 'h2load', argument: '--version', install: 'apt-get install nghttp2-client' };
export const TASKSET: Tool = { name: 'taskset', argument: '--version', install: 'apt-get install util-linux' };

/** Null when it is there, else a sentence that says what is left out and how to get it. */
export function missing(tool: Tool): string | null {
  const { error } = spawnSync(tool.name, [tool.argument], { stdio: 'ignore' });
  return error === undefined ? null : `${tool.name} is not on PATH (${tool.install}).`;
}
