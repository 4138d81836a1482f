import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithBench } from './child.ts';
import { pin, SERVER_CORE } from './cpu.ts';
import { freePort } from './ports.ts';

export interface NginxOptions {
  readonly dir: string;
  readonly tlsPort: number;
  readonly plainPort: number;
}

/** nginx as one process, its worker alone: `static` is a reply of 1 KB, `plain` and `tls` are hops to the upstream. */
export interface Nginx {
  readonly pid: number;
  readonly urls: Readonly<Record<'static' | 'plain' | 'tls', string>>;
  stop(): Promise<void>;
}

export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const { dir } = options;
  mkdirSync(dir, { recursive: true });
  const ports = { static: await freePort(), plain: await freePort(), tls: await freePort() };
  const own = randomUUID();
  const config = join(dir, 'nginx.conf');
  writeFileSync(config, configOf(options, { ports, own }));
  const child = spawn('nginx', ['-p', dir, '-c', config, '-e', join(dir, 'error.log')], { stdio: 'ignore' });
  endWithBench(child);
  const at = (port: number) => `http://127.0.0.1:${port}`;
  await untilOwn(at(ports.static), { own, child });
  const pid = child.pid ?? 0;
  pin(pid, SERVER_CORE);
  return {
    pid,
    urls: { static: at(ports.static), plain: at(ports.plain), tls: at(ports.tls) },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function configOf(
  { dir, tlsPort, plainPort }: NginxOptions,
  {
    ports,
    own,
  }: { readonly ports: Nginx['urls'] extends infer U ? Record<keyof U, number> : never; readonly own: string },
): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`);
  const hop = (port: number, target: string) => `server {
    listen 127.0.0.1:${port};
    keepalive_requests 100000000;
    location / { proxy_pass ${target}; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host localhost; }
  }`;
  return `daemon off; master_process off; worker_processes 1; pid ${dir}/pid;
events { worker_connections 1024; }
http {
  access_log off; ${temp.join(' ')}
  upstream plain { server 127.0.0.1:${plainPort}; keepalive 64; keepalive_requests 100000000; }
  upstream secure { server 127.0.0.1:${tlsPort}; keepalive 64; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${ports.static};
    keepalive_requests 100000000;
    location / { add_header x-own ${own}; return 200 "${'x'.repeat(1_024)}"; }
  }
  ${hop(ports.plain, 'http://plain')}
  ${hop(ports.tls, 'https://secure')}
}
`;
}

/** Another server on the port would be measured instead, and a wrong configuration is very fast. */
async function untilOwn(url: string, { own, child }: { readonly own: string; readonly child: ChildProcess }) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
    const reply = await fetch(url).catch(() => null);
    await reply?.text();
    if (reply?.headers.get('x-own') === own) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('nginx did not start.');
}
