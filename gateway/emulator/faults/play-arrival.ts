import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type CosmosReply, replyToError, writeReply } from '#gateway/emulator/http/cosmos-reply.ts';
import type { CosmosRequest } from '#gateway/emulator/http/cosmos-request.ts';
import type { Region } from '#gateway/emulator/regions/region.ts';
import type { Arrival, Ending } from './arrival.ts';
import { rolledBackReply, statusReply } from './false-replies.ts';

/** What the faults of one region keep waiting. */
export interface Stage {
  readonly region: Region;
  /** Connections of requests that are never answered. */
  readonly hung: Set<Socket>;
  /** Aborted when the endpoint stops. */
  readonly stopping: AbortSignal;
}

export interface Scene {
  readonly request: CosmosRequest;
  readonly response: ServerResponse;
  /** Carries the request out, as if it had just arrived. Never rejects: refusals are replies. */
  readonly carryOut: () => Promise<CosmosReply>;
}

/** Does to a request what its faults say. Rejects when the endpoint stops meanwhile. */
export async function playArrival(stage: Stage, scene: Scene, { slow, ending }: Arrival): Promise<void> {
  if (ending?.kind === 'delayedDelivery') {
    reset(scene.response);
    await pause(ending.delayMs, undefined, { signal: stage.stopping });
  }
  if (slow.length > 0) await wait(stage, slow);
  if (ending === undefined) writeReply(scene.response, await scene.carryOut());
  else await playEnding(stage, scene, ending);
}

/** The later of many has all the earlier ones before it. */
async function wait({ region, stopping }: Stage, slow: Arrival['slow']): Promise<void> {
  const delayMs = slow.reduce((sum, effect) => sum + effect.delayMs + effect.perQueuedMs * region.waiting, 0);
  region.waiting += 1;
  try {
    await pause(delayMs, undefined, { signal: stopping });
  } finally {
    region.waiting -= 1;
  }
}

async function playEnding(stage: Stage, { request, response, carryOut }: Scene, ending: Ending): Promise<void> {
  switch (ending.kind) {
    case 'reset':
      return reset(response);
    case 'hang':
      return hang(stage, response);
    case 'status':
      return answer(stage.region, response, statusReply(ending));
    case 'batchStatus':
      return answer(stage.region, response, rolledBack(request, ending));
    case 'html':
      return writeHtml(response, ending.status);
    case 'empty':
      response.writeHead(ending.status, { 'content-length': 0 }).end();
      return;
    case 'commitThenReset':
      await carryOut();
      return reset(response);
    case 'delayedDelivery':
      await carryOut();
      return;
  }
}

function answer(region: Region, response: ServerResponse, reply: CosmosReply): void {
  if (reply.status === 429) region.throttled += 1;
  writeReply(response, reply);
}

function rolledBack(request: CosmosRequest, effect: Extract<Ending, { kind: 'batchStatus' }>): CosmosReply {
  try {
    return rolledBackReply(request, effect);
  } catch (error) {
    return replyToError(error);
  }
}

/** RST instead of FIN, so that the client cannot take it for an orderly end. */
const reset = (response: ServerResponse): void => void response.socket?.resetAndDestroy();

function hang({ hung }: Stage, { socket }: ServerResponse): void {
  if (socket === null) return;
  hung.add(socket);
  socket.once('close', () => hung.delete(socket));
}

function writeHtml(response: ServerResponse, status: number): void {
  const page = `<html>\r\n<head><title>${status}</title></head>\r\n<body><center><h1>${status}</h1></center></body>\r\n</html>\r\n`;
  response.writeHead(status, { 'content-type': 'text/html', 'content-length': page.length }).end(page);
}
