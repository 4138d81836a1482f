import { z } from 'zod';
import { changesFor } from '#server/changes/changes-for.ts';
import { homeWith } from '#server/home/home.ts';
import { handle } from '#server/http/handle.ts';
import { recentLatency } from '#server/telemetry/recent-latency.ts';

export const GET = handle(z.object({}), homeWith({ changesFor, recentLatency }));
