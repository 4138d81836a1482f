import { SetPublishWhenApprovedInput, setPublishWhenApproved } from '#server/changes/publish-when-approved.ts';
import { handle } from '#server/http/handle.ts';

export const PUT = handle(SetPublishWhenApprovedInput, setPublishWhenApproved);
