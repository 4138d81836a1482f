import type { z } from 'zod';
import type { GlyphKind } from '#components/ui/glyph.tsx';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { EdgeTypeDocument } from '#gateway/contract/definitions/edge-type.ts';
import { ObjectTypeDocument } from '#gateway/contract/definitions/object-type.ts';
import { PolicyDocument } from '#gateway/contract/definitions/policy.ts';
import { PrincipalDocument } from '#gateway/contract/definitions/principal.ts';
import { TenantDocument } from '#gateway/contract/definitions/tenant.ts';
import { EdgeTypeName, ObjectTypeName, PolicyName, PrincipalName, TenantName } from '#gateway/contract/ids.ts';

interface KindWords {
  readonly one: string;
  readonly many: string;
  /** What it is, in one sentence. */
  readonly about: string;
  readonly glyph: GlyphKind;
  readonly nameSchema: z.ZodType<string>;
  readonly documentSchema: z.ZodType;
  /** Fields of the document in the order in which people read them; the database keeps none. */
  readonly fields: readonly string[];
  /** Folder of its page. */
  readonly folder: string;
}

/** What pages say about each kind of definition, and the contract's schemas of its name and document. */
export const KINDS: Readonly<Record<DefinitionKind, KindWords>> = {
  objectType: {
    one: 'object type',
    many: 'object types',
    about: 'An object type says what may be stored under an id, how large it may be and who may use it.',
    glyph: 'object',
    nameSchema: ObjectTypeName,
    documentSchema: ObjectTypeDocument,
    fields: Object.keys(ObjectTypeDocument.shape),
    folder: 'types',
  },
  edgeType: {
    one: 'edge type',
    many: 'edge types',
    about: 'An edge type connects one object type to another, with a time and a little data on each edge.',
    glyph: 'edge',
    nameSchema: EdgeTypeName,
    documentSchema: EdgeTypeDocument,
    fields: Object.keys(EdgeTypeDocument.shape),
    folder: 'types',
  },
  policy: {
    one: 'policy',
    many: 'policies',
    about: 'A policy permits or forbids what principals do with types. What no policy permits is denied.',
    glyph: 'policy',
    nameSchema: PolicyName,
    documentSchema: PolicyDocument,
    fields: Object.keys(PolicyDocument.shape),
    folder: 'policies',
  },
  tenant: {
    one: 'tenant',
    many: 'tenants',
    about: 'A tenant is an isolated customer of the platform. Data, keys, quotas and charts belong to one tenant.',
    glyph: 'tenant',
    nameSchema: TenantName,
    documentSchema: TenantDocument,
    fields: Object.keys(TenantDocument.shape),
    folder: 'tenants',
  },
  principal: {
    one: 'principal',
    many: 'principals',
    about: 'A principal is an identity that calls the gateway. It belongs to one tenant and has keys.',
    glyph: 'principal',
    nameSchema: PrincipalName,
    documentSchema: PrincipalDocument,
    fields: Object.keys(PrincipalDocument.shape),
    folder: 'principals',
  },
};

/** The page of a definition. */
export function definitionHref(kind: DefinitionKind, name: string): string {
  return `/${KINDS[kind].folder}/${encodeURIComponent(name)}`;
}

/** A type's name says its kind: object types start with a capital, edge types with a small letter. */
export function kindOfType(name: string): 'objectType' | 'edgeType' {
  return /^[A-Z]/.test(name) ? 'objectType' : 'edgeType';
}
