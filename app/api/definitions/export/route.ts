import { ExportQuery } from '#server/contract/as-code.ts';
import { handle } from '#server/http/handle.ts';
import { exportDefinitions } from '#server/registry/export-definitions.ts';

export const GET = handle(ExportQuery, exportDefinitions);
