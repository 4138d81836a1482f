import 'server-only';
import type { Operation } from '#gateway/contract/telemetry.ts';

/** Operations after which more may be stored than before. */
export const WRITING_OPERATIONS: readonly Operation[] = [
  'object.put',
  'object.create',
  'edge.put',
  'edge.changeType',
  'commit',
];
