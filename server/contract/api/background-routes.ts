import { BackgroundPage, BackgroundQuery, TriedAgain, TryAgain } from '../background.ts';
import type { ApiRoutes } from './api-route.ts';

/** What gateways do in the background; another try is asked for by people. */
export const BACKGROUND_ROUTES = {
  'GET /api/background': {
    summary: 'Inverse edges and sweeps that gateways left behind and have not finished, and objects that drifted.',
    tag: 'traffic',
    scope: 'any',
    query: BackgroundQuery,
    reply: BackgroundPage,
  },
  'POST /api/background/try-again': {
    summary: 'Asks for another try of one entry, or of all that are parked, or for a recount of what drifted.',
    tag: 'traffic',
    scope: null,
    body: TryAgain,
    reply: TriedAgain,
    errors: ['not_found'],
  },
} as const satisfies ApiRoutes;
