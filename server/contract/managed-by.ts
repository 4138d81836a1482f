import { z } from 'zod';

/** Where a definition is kept: name or address of a repository. */
export const Source = z.string().trim().min(1, 'Name the repository.').max(200);

/** Who keeps a definition: people at the console are told that the next apply overwrites what they change. */
export const ManagedBy = z.object({ source: Source, appliedAtMs: z.int(), appliedBy: z.string() });
export type ManagedBy = z.infer<typeof ManagedBy>;
