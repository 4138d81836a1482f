import type { Work } from './work.ts';

/**
 * What a request will cost, in RU: enough to hold a burst back before the store has answered. The real charge replaces
 * it when the request settles. Figures: 1 KB read 1, 1 KB write 4.95 and growing by about 0.6 per KB; an edge write is
 * one batch of two to four items.
 */
export function estimateRu(work: Work): number {
  switch (work.operation) {
    case 'object.get':
    case 'edge.count':
      return 1;
    case 'object.put':
      return 10 + 0.6 * (work.content.length / 1_024);
    case 'object.delete':
      return 16;
    case 'edge.get':
      // The head is read beside the edges.
      return work.toIds.length === 1 ? 2 : 4;
    case 'edge.put':
    case 'edge.delete':
      return 20;
    case 'commit': {
      const bytes = work.parts.reduce(
        (sum, part) => sum + (part.operation === 'object.put' ? part.content.length : 0),
        0,
      );
      return 8 + 12 * work.parts.length + 0.6 * (bytes / 1_024);
    }
    case 'edge.changeType':
      // A critical query of two items, and a batch of three to six.
      return 35;
    case 'edge.list':
      // Edges that are passed over are read like those that are returned.
      return 4 + 0.03 * (work.limit + (work.pos ?? 0));
  }
}
