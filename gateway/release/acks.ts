import type { Ack } from '#gateway/contract/machine-api.ts';
import type { ConsoleClient } from './console-client.ts';

/** Tells the console what became of a release. Only the newest answer matters: an older unsent one is dropped. */
export interface Acks {
  send(ack: Ack): void;
  /** Tries again what the console has not taken. Never rejects. */
  retry(): Promise<void>;
}

export function createAcks(client: ConsoleClient, say: (sentence: string) => void): Acks {
  let unsent: Ack | null = null;
  let busy = false;
  const retry = async () => {
    if (busy) return;
    busy = true;
    try {
      while (unsent !== null) {
        const ack: Ack = unsent;
        const answer = await client.post('ack', ack);
        if (answer.kind === 'away') return;
        if (answer.kind === 'refused')
          say(`The console refused the answer to r${ack.release.number}: ${answer.message}`);
        if (unsent === ack) unsent = null;
      }
    } finally {
      busy = false;
    }
  };
  return {
    send: (ack) => {
      unsent = ack;
      void retry();
    },
    retry,
  };
}
