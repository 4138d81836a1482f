import { startEmulator } from '#gateway/emulator/start.ts';

// The other side of `warm-endpoint.ts`: says when it is loaded, opens the folder it is sent, says where it listens.
process.once('message', (dir) => {
  void startEmulator({ dir: String(dir), port: 0, partitionRuPerSecond: null }).then(({ url }) => process.send?.(url));
});
process.once('disconnect', () => process.exit(0));
process.send?.('loaded');
