import { z } from 'zod';
import { changesFor } from '#server/changes/changes-for.ts';
import { shellWith } from '#server/home/shell.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(z.object({}), shellWith(changesFor));
