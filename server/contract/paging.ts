import { z } from 'zod';

/** Query of every list: `cursor` from the last page's `next` or `previous`, `limit` 1–200 (50). */
export const PageQuery = z.object({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** A page of a list. `total` is exact up to 10,000; null says more than that. Absent cursors: the first or last page. */
export const page = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    next: z.string().optional(),
    previous: z.string().optional(),
    total: z.int().nullable(),
  });
