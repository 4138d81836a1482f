import 'server-only';
import type { BackgroundEntry, Gateway, GatewayAck, Prisma, RequestRecord } from '#prisma/client/client.ts';

/** Rows and conditions of the tables that several features read, so that they need not see the client itself. */
export type GatewayRow = Gateway;
export type GatewayAckRow = GatewayAck;
export type RequestRow = RequestRecord;
export type RequestWhere = Prisma.RequestRecordWhereInput;
export type NewAuditRow = Prisma.AuditEventCreateManyInput;
export type BackgroundEntryRow = BackgroundEntry;
export type BackgroundEntryWhere = Prisma.BackgroundEntryWhereInput;
