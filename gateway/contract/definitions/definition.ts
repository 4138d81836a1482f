import { z } from 'zod';
import { EdgeTypeName, ObjectTypeName, PolicyName, PrincipalName, TenantName } from '../ids.ts';
import { EdgeTypeDocument } from './edge-type.ts';
import { ObjectTypeDocument } from './object-type.ts';
import { PolicyDocument } from './policy.ts';
import { PrincipalDocument } from './principal.ts';
import { TenantDocument } from './tenant.ts';

/** Every kind of definition, in the order in which people read them. */
export const DEFINITION_KINDS = ['objectType', 'edgeType', 'policy', 'tenant', 'principal'] as const;
export const DefinitionKind = z.enum(DEFINITION_KINDS);
export type DefinitionKind = z.infer<typeof DefinitionKind>;

/** A definition: `{kind, name, document}`, the document's shape given by the kind. */
export const Definition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('objectType'), name: ObjectTypeName, document: ObjectTypeDocument }),
  z.strictObject({ kind: z.literal('edgeType'), name: EdgeTypeName, document: EdgeTypeDocument }),
  z.strictObject({ kind: z.literal('policy'), name: PolicyName, document: PolicyDocument }),
  z.strictObject({ kind: z.literal('tenant'), name: TenantName, document: TenantDocument }),
  z.strictObject({ kind: z.literal('principal'), name: PrincipalName, document: PrincipalDocument }),
]);
export type Definition = z.infer<typeof Definition>;
export type DefinitionOf<K extends DefinitionKind> = Extract<Definition, { kind: K }>;
