import { setTimeout as pause } from 'node:timers/promises';
import { HabitatError } from 'habitat-client';
import { connect, createBoard, planOfFeed } from './board.ts';

// Twenty members with five notes each, one who follows them all, and what her feed costs.
const client = connect(process.env);
const board = createBoard(client);
const ids = Array.from({ length: 20 }, (_, index) => `member-${index}`);
const texts = ['one', 'two', 'three', 'four', 'five'];

await patiently(() => board.signUp('reader', 'The reader'));
for (const id of ids) {
  await patiently(() => board.signUp(id, `Name of ${id}`));
  await Promise.all(texts.map((text) => patiently(() => board.write(id, `${text} by ${id}`, `demo/${id}/${text}`))));
  await patiently(() => board.follow('reader', id));
}

console.log(`Before:\n${planOfFeed(client)}\n`);
const { result, bill } = await patiently(() => client.explain((counted) => createBoard(counted).feed('reader')));
console.log(`${result.length} notes, the newest: ${result[0]?.text}\n\nAfter:\n${bill}`);
await client.close();

/** A page has a deadline; a demonstration waits until what may be tried again works. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof HabitatError) || !error.retryable) throw error;
      await pause(error.retryAfterMs ?? 500);
    }
  }
}
