import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { brokenSentence } from '#gateway/store/http/broken-sentence.ts';
import { exchange } from '#gateway/store/http/exchange.ts';
import { createFreeList, type FreeList } from '#gateway/store/http/free-list.ts';
import { replyOf } from '#test/gateway/store/http/raw-server.ts';
import { type Certificate, selfSigned } from '#test/support/self-signed.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** A TLS server that answers every request, and a list of connections to it. */
async function startTls(certificate: Certificate) {
  const sockets: TLSSocket[] = [];
  const server = createServer(certificate, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).on('data', () => void socket.write(replyOf(200, '{}')));
  });
  server.listen(0);
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const list = createFreeList({ origin: `https://${host}`, maxConnections: 8, now: Date.now, random: () => 0 });
  onTestFinished(async () => {
    await list.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { sockets, host, list };
}

async function send(list: FreeList, isSound = true): Promise<string> {
  const connection = await list.take(undefined);
  const reply = await exchange(connection.client, {
    ...{ method: 'GET', path: '/', headers: {}, body: null, signal: undefined, onSend: () => undefined },
    onFree: (wasSound) => list.giveBack(connection, wasSound && isSound),
    onAbandon: () => undefined,
  });
  return reply.text;
}

function trust(...certificates: readonly Certificate[]): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, ...certificates.map(({ cert }) => cert)]);
  onTestFinished(() => setDefaultCACertificates(before));
}

async function complaintOf(certificate: Certificate): Promise<string> {
  const { list, host } = await startTls(certificate);
  return send(list).then(
    () => 'served',
    (error: unknown) => brokenSentence(error, host).replace(host, 'HOST'),
  );
}

it('a certificate of an unknown issuer is refused, with the setting that names issuers', async () => {
  expect(await complaintOf(selfSigned('localhost'))).toMatch(
    /^The certificate of HOST has an unknown issuer \(DEPTH_ZERO_SELF_SIGNED_CERT\); NODE_EXTRA_CA_CERTS names/,
  );
});

it('a certificate that has expired, or is for another name, is refused and says so', async () => {
  const [expired, foreign] = [selfSigned('localhost', -2), selfSigned('elsewhere.example')];
  trust(expired, foreign);
  expect(await complaintOf(expired)).toBe('The certificate of HOST has expired. (CERT_HAS_EXPIRED)');
  expect(await complaintOf(foreign)).toMatch(/^The certificate of HOST is for another name\. \(ERR_TLS_CERT_ALTNAME/);
});

it('connections of one list resume the TLS session of another', async () => {
  const certificate = selfSigned('localhost');
  trust(certificate);
  const { list, sockets } = await startTls(certificate);
  expect(await send(list, false)).toBe('{}');
  // The ticket comes after the reply, in a record of its own.
  await waitUntil(async () => {
    expect(await send(list, false)).toBe('{}');
    return sockets.at(-1)?.isSessionReused() === true;
  });
});
