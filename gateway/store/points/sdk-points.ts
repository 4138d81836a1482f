import type { Container } from '@azure/cosmos';
import type { PointReads } from './point-reads.ts';
import { RefusedReply } from './refused-reply.ts';

/** Point reads through the SDK. */
export function createSdkPoints(container: () => Container): PointReads {
  return {
    async read({ pk, id }, freshness, abortSignal) {
      const response = await container()
        .item(id, pk)
        .read({ ...freshness, abortSignal });
      if (response.statusCode !== 404) return response.resource;
      // The SDK hands every 404 of a read back as a response; one with a sub-status is not about the item.
      if ((response.substatus ?? 0) !== 0) throw new RefusedReply(404, response.substatus);
      return null;
    },
  };
}
