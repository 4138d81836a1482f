import { listAudit } from '#server/audit/list-audit.ts';
import { AuditQuery } from '#server/contract/audit.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(AuditQuery, listAudit);
