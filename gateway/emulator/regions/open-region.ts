import { createRegionService } from '#gateway/emulator/http/serve.ts';
import { createListener, type Listener } from './listener.ts';
import type { Region } from './region.ts';

export interface OpenRegion extends Pick<Listener, 'setRefusing' | 'settled' | 'close'> {
  readonly region: Region;
}

/** Lets a region answer on its port. Rejects with one sentence when the port cannot be used. */
export async function openRegion(region: Region, onUnexpected: (error: unknown) => void): Promise<OpenRegion> {
  const service = createRegionService(region, onUnexpected);
  const listener = createListener({ handle: service.handle, host: region.host, port: region.port });
  region.port = await listener.open();
  return {
    region,
    setRefusing: listener.setRefusing,
    settled: listener.settled,
    async close() {
      await service.release();
      await listener.close();
    },
  };
}
