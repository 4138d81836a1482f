import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createListener } from '#gateway/emulator/regions/listener.ts';

const host = '127.0.0.1';

it('waits for its port when another took it meanwhile', async () => {
  const listener = createListener({ handle: (_, response) => response.end('served'), host, port: 0 });
  const port = await listener.open();
  listener.setRefusing(true);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, host, resolve));
  listener.setRefusing(false);
  let isSettled = false;
  const settled = listener.settled().then(() => {
    isSettled = true;
  });
  // Enough turns of the loop to try once, and fail.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  other.close();
  await settled;
  expect(await (await fetch(`http://${host}:${port}`)).text()).toBe('served');
  await listener.close();
});

it('can be closed while it refuses, while it waits for its port, and twice', async () => {
  const listener = createListener({ handle: (_, response) => response.end(), host, port: 0 });
  const port = await listener.open();
  listener.setRefusing(true);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, host, resolve));
  listener.setRefusing(false);
  await listener.close();
  await listener.close();
  expect(other.listening).toBe(true);
  other.close();
});
