import { z } from 'zod';
import type { Operation } from './telemetry.ts';

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

/** The action that policy decides about for each operation that is decided by itself. */
export const ACTION_OF = {
  'object.get': 'object.read',
  'object.put': 'object.write',
  'object.create': 'object.write',
  'object.delete': 'object.delete',
  'edge.get': 'edge.read',
  'edge.count': 'edge.read',
  'edge.list': 'edge.read',
  'edge.put': 'edge.write',
  'edge.delete': 'edge.delete',
} as const satisfies Record<Exclude<Operation, 'edge.changeType' | 'batch' | 'commit'>, Action>;

/**
 * An operation that policy decides about once. The parts of a batch and a commit are decided one by one, and a change of an
 * edge's type needs `edge.delete` on the type that the edge leaves and `edge.write` on the one that it gets.
 */
export type DecidedOperation = keyof typeof ACTION_OF;
export const DecidedOperation = z.enum(Object.keys(ACTION_OF) as [DecidedOperation, ...DecidedOperation[]]);
