import type { DraftEdit } from '#server/compile/model.ts';
import type { Person } from '#server/contract/people.ts';
import type { RollbackRecord } from './rollback-record.ts';

/** What a release is made of, and who answers for it. */
export interface PublishRequest {
  /** Laid over what the release starts from, see `readStartingPoint`. */
  readonly edits: readonly DraftEdit[];
  /** Why the release exists, in words for its row. */
  readonly cause: string;
  readonly reason: string;
  readonly by: Person;
  /** Who wrote the edits: the change's author, or whoever acts. */
  readonly author: Person;
  readonly approvedBy: Person | null;
  readonly selfApproved: boolean;
  readonly changeNumber: number | null;
  /** Goes to all gateways at once and ends a rollout that is open. */
  readonly emergency: boolean;
  /** Only takes away, so it passes while publishing is frozen. */
  readonly narrows?: boolean;
  readonly rollback?: RollbackRecord | null;
}
