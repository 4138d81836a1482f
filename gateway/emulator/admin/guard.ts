import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ControlRefused } from './control-refused.ts';

/**
 * Lets a request pass that carries the token and was sent to this machine by name or number. The name is checked
 * because a page of another site can make a browser resolve its own name to this machine. Refuses with 401.
 */
export function createGuard(token: string, host: string): (incoming: IncomingMessage) => void {
  const expected = digest(`Bearer ${token}`);
  const names = new Set(['127.0.0.1', 'localhost', '[::1]', host]);
  return ({ headers }) => {
    if (!names.has((headers.host ?? '').replace(/:\d+$/, ''))) {
      throw new ControlRefused(401, 'The admin API answers to 127.0.0.1 and localhost only.');
    }
    // Digests are of one length, so that the time of the comparison tells nothing.
    if (!timingSafeEqual(digest(headers.authorization ?? ''), expected)) {
      throw new ControlRefused(401, 'The admin token is missing or wrong.');
    }
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
