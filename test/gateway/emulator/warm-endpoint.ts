import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./warm-endpoint-main.ts', import.meta.url));

/** A process that has loaded the endpoint and waits for a folder: what takes long at a start is done before it is needed. */
export interface WarmEndpoint {
  /** Opens the folder and says where it listens; rejects when the process ends before. */
  open(dir: string): Promise<string>;
  /** SIGKILL; settles when the process is gone. */
  kill(): Promise<void>;
}

export function warmEndpoint(): WarmEndpoint {
  const child = fork(MAIN, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const loaded = nextMessage(child, exited, () => stderr);
  // Killed before it was asked to open.
  loaded.catch(() => {});
  return {
    async open(dir) {
      await loaded;
      const opened = nextMessage(child, exited, () => stderr);
      child.send(dir);
      return opened;
    },
    kill() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

function nextMessage(child: ChildProcess, exited: Promise<void>, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)));
    exited.then(() => reject(new Error(`the endpoint ended: ${stderr()}`)));
  });
}
