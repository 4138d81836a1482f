import { liveness } from '#server/live/readiness.ts';

export const GET = liveness;

export const dynamic = 'force-dynamic';
