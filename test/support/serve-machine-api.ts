import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { z } from 'zod';
import { AuditShipment } from '#gateway/contract/audit.ts';
import { BackgroundReport } from '#gateway/contract/background.ts';
import { Ack, Heartbeat, SectionsWanted } from '#gateway/contract/machine-api.ts';
import { TelemetryShipment } from '#gateway/contract/telemetry.ts';
import { takeAudit } from '#server/audit/take-shipment.ts';
import { moveOn } from '#server/changes/move-on.ts';
import { awaitManifest } from '#server/gateways/await-manifest.ts';
import { createMachineHandle } from '#server/gateways/handle-machine.ts';
import {
  readReleaseHeader,
  readReleaseSection,
  readReleaseSections,
  Sha256Param,
} from '#server/gateways/read-release.ts';
import { takeAckWith } from '#server/gateways/take-ack.ts';
import { takeBackground } from '#server/gateways/take-background.ts';
import { takeHeartbeatWith } from '#server/gateways/take-heartbeat.ts';
import type { Installation } from '#server/http/installation.ts';
import { takeTelemetry } from '#server/telemetry/take-shipment.ts';

type Route = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/** Serves the machine API over real HTTP, each path with the verb that its route file names. Answers the address. */
export async function serveMachineApi(installation: Installation): Promise<string> {
  const handle = createMachineHandle(async () => installation);
  const routes: Readonly<Record<string, Route>> = {
    manifest: handle(z.object({}), awaitManifest),
    releases: handle(Sha256Param, readReleaseHeader),
    section: handle(Sha256Param, readReleaseSection),
    sections: handle(SectionsWanted, readReleaseSections),
    ack: handle(Ack, takeAckWith(moveOn)),
    heartbeat: handle(Heartbeat, takeHeartbeatWith(moveOn)),
    telemetry: handle(TelemetryShipment, takeTelemetry),
    audit: handle(AuditShipment, takeAudit),
    background: handle(BackgroundReport, takeBackground),
  };
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const url = new URL(incoming.url ?? '/', 'http://console.test');
    const [, , , name = '', sha256] = url.pathname.split('/');
    const { method = 'GET', headers } = incoming;
    const request = new Request(url, {
      method,
      headers: Object.entries(headers).map(([key, value]): [string, string] => [key, String(value)]),
      signal: gone.signal,
      ...(method === 'GET' ? {} : { body: await text(incoming) }),
    });
    const route = routes[name === 'sections' && sha256 !== undefined ? 'section' : name];
    if (route === undefined) return outgoing.writeHead(404).end();
    const reply = await route(request, { params: Promise.resolve(sha256 === undefined ? {} : { sha256 }) });
    outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
    return outgoing.end(Buffer.from(await reply.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}
