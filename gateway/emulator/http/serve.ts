import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { CosmosError } from '#gateway/emulator/errors.ts';
import { meetOnArrival } from '#gateway/emulator/faults/arrival.ts';
import { playArrival, type Stage } from '#gateway/emulator/faults/play-arrival.ts';
import type { Region } from '#gateway/emulator/regions/region.ts';
import { type CosmosReply, replyToError, writeReply } from './cosmos-reply.ts';
import { type CosmosRequest, splitTarget } from './cosmos-request.ts';
import { route, subjectOf } from './route.ts';

/** Above every limit of the service, so that its own refusals, which say more, come first. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Answers the requests of one region. */
export interface RegionService {
  readonly handle: RequestListener;
  /** Ends what faults keep waiting, and finishes what they let happen without a client. */
  release(): Promise<void>;
}

/** `onUnexpected` hears of faults that are the endpoint's own. */
export function createRegionService(region: Region, onUnexpected: (error: unknown) => void): RegionService {
  const stopping = new AbortController();
  const stage: Stage = { region, hung: new Set(), stopping: stopping.signal };
  const underFaults = new Set<Promise<void>>();

  async function carryOut(request: CosmosRequest): Promise<CosmosReply> {
    try {
      return await route(region, request);
    } catch (error) {
      if (!(error instanceof CosmosError)) onUnexpected(error);
      return replyToError(error);
    }
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    if (isHealthCheck(request)) return writeHealth(response);
    region.requests += 1;
    const { faults } = region.account;
    const arrival = faults.isEmpty() ? undefined : meetOnArrival(faults, subjectOf(region, request));
    if (arrival === undefined) return writeReply(response, await carryOut(request));
    const playing = playArrival(stage, { request, response, carryOut: () => carryOut(request) }, arrival);
    underFaults.add(playing);
    await playing.finally(() => underFaults.delete(playing));
  }

  function fail(incoming: IncomingMessage, response: ServerResponse, error: unknown): void {
    const clientLeft = !incoming.complete || response.destroyed;
    if (clientLeft || response.writableEnded) return;
    if (stopping.signal.aborted) return void response.destroy();
    if (!(error instanceof CosmosError)) onUnexpected(error);
    writeReply(response, replyToError(error));
  }

  return {
    handle(incoming, response) {
      answer(incoming, response).catch((error: unknown) => fail(incoming, response, error));
    },
    async release() {
      stopping.abort();
      for (const socket of stage.hung) socket.destroy();
      await Promise.allSettled(underFaults);
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<CosmosRequest> {
  const { headers, method = 'GET', url = '/' } = incoming;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const body = hasBody ? await readBody(incoming) : NO_BODY;
  return { method, segments: splitTarget(url), headers, body };
}

const NO_BODY = Buffer.alloc(0);

/** By events: to iterate over the message would cost more than to read a small one. */
function readBody(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    // Read to its end before it is refused: a reply to a half-sent body reaches many clients as a reset.
    incoming.once('end', () => {
      if (size > MAX_BODY_BYTES) reject(new CosmosError(413, 'Request size is too large.'));
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    });
    incoming.once('error', reject);
    incoming.once('close', () => {
      if (!incoming.complete) reject(new CosmosError(400, 'The body of the request ended early.'));
    });
  });
}

const isHealthCheck = ({ method, segments }: CosmosRequest): boolean =>
  method === 'GET' && segments.length === 2 && segments[0] === '_habitat' && segments[1] === 'health';

function writeHealth(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{"ok":true}');
}
