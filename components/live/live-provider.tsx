'use client';

import { type Query, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState } from 'react';
import { LIVE_TOPICS, type LiveTopic } from '#server/contract/shell.ts';
import { LiveLink, type LiveStatus } from './live-link.ts';

const StatusContext = createContext<LiveStatus>({ kind: 'live' });
const POLL_MS = 5000;

/**
 * Fetches again what a topic says has changed. A query belongs to the topics of its `meta.topics`, or to the topic that
 * its key starts with: `['changes', 'list', filter]`. While the stream is lost every such query on screen asks every 5 s.
 */
export function LiveProvider({ children }: { readonly children: React.ReactNode }) {
  const client = useQueryClient();
  const [status, setStatus] = useState<LiveStatus>({ kind: 'live' });
  useEffect(() => {
    const refresh = (topics: readonly LiveTopic[]) =>
      void client.invalidateQueries({ predicate: (query) => topicsOf(query).some((topic) => topics.includes(topic)) });
    const link = new LiveLink({
      onTopic: (topic) => refresh([topic]),
      // Between the streams something may have been missed.
      onStatus: (next) => {
        setStatus((now) => (now.kind === 'lost' && next.kind === 'lost' ? now : next));
        if (next.kind === 'live') refresh(LIVE_TOPICS);
      },
      nowMs: Date.now,
    });
    const onVisibility = () => (document.hidden ? link.stop() : link.start());
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      link.close();
    };
  }, [client]);
  useEffect(() => {
    if (status.kind === 'live') return;
    const timer = setInterval(() => {
      if (!document.hidden) void client.invalidateQueries({ predicate: (query) => topicsOf(query).length > 0 });
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [client, status.kind]);
  return <StatusContext value={status}>{children}</StatusContext>;
}

/** Whether live updates arrive, and since when not. */
export const useLiveStatus = (): LiveStatus => use(StatusContext);

function topicsOf(query: Query): readonly LiveTopic[] {
  const named = query.meta?.topics;
  if (named !== undefined) return named;
  return LIVE_TOPICS.filter((topic) => topic === query.queryKey[0]);
}
