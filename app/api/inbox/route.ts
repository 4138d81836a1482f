import { z } from 'zod';
import { changesFor } from '#server/changes/changes-for.ts';
import { inboxWith } from '#server/home/inbox.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(z.object({}), inboxWith(changesFor));
