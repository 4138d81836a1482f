import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

// A thread of its own, because moving pages from the log into the database waits for the disk.
const db = new DatabaseSync(String(workerData), { timeout: 5_000 });
db.exec('PRAGMA wal_autocheckpoint = 0');

parentPort?.on('message', (message) => {
  if (message === 'close') {
    db.close();
    parentPort?.close();
    return;
  }
  const row = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
  parentPort?.postMessage(Number(row?.log ?? 0));
});
