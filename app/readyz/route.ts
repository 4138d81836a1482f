import { installation } from '#server/http/installation.ts';
import { readiness } from '#server/live/readiness.ts';

export const GET = () => readiness(installation);

export const dynamic = 'force-dynamic';
