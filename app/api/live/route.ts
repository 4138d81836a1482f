import { z } from 'zod';
import { handle } from '#server/http/handle.ts';
import { streamTopics } from '#server/live/stream-topics.ts';

export const GET = handle(z.object({}), streamTopics);
