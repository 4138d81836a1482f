import type { ZodType, z } from 'zod';
import { Budget, Corrupt, Failover, NewFault } from '#gateway/contract/local-cosmos.ts';
import { ControlRefused } from './control-refused.ts';
import type { Controls } from './controls.ts';

export interface AdminRequest {
  readonly method: string;
  readonly target: string;
  readonly body: string;
}

export interface AdminReply {
  readonly status: number;
  /** JSON; absent for 204. */
  readonly body?: unknown;
}

const DONE: AdminReply = { status: 204 };

/** One request of the admin API. Throws `ControlRefused`. */
export async function answerAdmin(controls: Controls, { method, target, body }: AdminRequest): Promise<AdminReply> {
  const path = target.split('?', 1)[0] ?? '';
  const faultId = /^\/faults\/([\w-]+)$/.exec(path)?.[1];
  if (faultId !== undefined && method === 'DELETE') {
    await controls.faults.remove(faultId);
    return DONE;
  }
  switch (`${method} ${path}`) {
    case 'GET /state':
      return { status: 200, body: controls.state() };
    case 'POST /faults':
      return { status: 200, body: controls.faults.add(read(NewFault, body)) };
    case 'DELETE /faults':
      await controls.faults.clear();
      return DONE;
    case 'POST /failover': {
      const { account, region } = read(Failover, body);
      controls.failover(account, region);
      return DONE;
    }
    case 'POST /budget': {
      const { account, partitionRuPerSecond } = read(Budget, body);
      controls.setBudget(account, partitionRuPerSecond);
      return DONE;
    }
    case 'POST /corrupt':
      await controls.corrupt(read(Corrupt, body));
      return DONE;
    default:
      throw new ControlRefused(404, `There is no ${method} ${path} here.`);
  }
}

function read<T>(schema: ZodType<T>, body: string): T {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new ControlRefused(400, 'The body is not JSON.');
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new ControlRefused(400, parsed.error.issues.map(sentenceOf).join(' '));
  return parsed.data;
}

const sentenceOf = ({ path, message }: z.core.$ZodIssue): string =>
  `${path.length === 0 ? 'body' : path.map(String).join('.')}: ${message}.`;
