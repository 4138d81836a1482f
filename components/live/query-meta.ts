import '@tanstack/react-query';
import type { LiveTopic } from '#server/contract/shell.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Live topics after which this query is fetched again. */
      readonly topics?: readonly LiveTopic[];
    };
  }
}
