import type { DraftEdit } from '#server/compile/model.ts';
import type { Person } from '#server/contract/people.ts';

/** What a release is made of, and who answers for it. */
export interface PublishRequest {
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
  readonly emergency: boolean;
}
