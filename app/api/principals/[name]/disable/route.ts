import { handle } from '#server/http/handle.ts';
import {
  DisablePrincipalInput,
  disablePrincipal,
  PrincipalActPath,
  previewDisable,
} from '#server/tenants/disable-principal.ts';

export const GET = handle(PrincipalActPath, previewDisable);
export const POST = handle(DisablePrincipalInput, disablePrincipal);
