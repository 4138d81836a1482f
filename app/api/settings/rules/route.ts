import { z } from 'zod';
import { readRules } from '#server/auth/rules.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(z.object({}), readRules);
