import { connect, createBoard, planOfFeed } from './board.ts';

// Twenty members with five notes each, one who follows them all, and what her feed costs.
const client = connect(process.env);
const board = createBoard(client);
const ids = Array.from({ length: 20 }, (_, index) => `member-${index}`);

await Promise.all(['reader', ...ids].map((id) => board.signUp(id, `Name of ${id}`)));
for (const id of ids) {
  const texts = ['one', 'two', 'three', 'four', 'five'];
  await Promise.all(texts.map((text) => board.write(id, `${text} by ${id}`, `demo/${id}/${text}`)));
  await board.follow('reader', id);
}

console.log(`Before:\n${planOfFeed(client)}\n`);
const { result, bill } = await client.explain((counted) => createBoard(counted).feed('reader'));
console.log(`${result.length} notes, the newest: ${result[0]?.text}\n\nAfter:\n${bill}`);
await client.close();
