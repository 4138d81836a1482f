import { z } from 'zod';

export const ACTIONS = [
  'object.read',
  'object.write',
  'object.delete',
  'edge.read',
  'edge.write',
  'edge.delete',
] as const;
export const Action = z.enum(ACTIONS);
/** What a policy decides about. Edge actions decide on the edge type and on the object type it starts from. */
export type Action = z.infer<typeof Action>;
