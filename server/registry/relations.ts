import 'server-only';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import type { Catalog } from '#server/compile/model.ts';
import { readPolicy } from '#server/compile/read-policy.ts';
import type { DefinitionDetail } from '#server/contract/definitions.ts';

type Relation = DefinitionDetail['relatedTo'][number];

/** What a definition names and what names it, each with the words for how; of a type the policies come first. */
export function relationsOf(definition: Definition, catalog: Catalog): Relation[] {
  switch (definition.kind) {
    case 'objectType':
      return [...policiesNaming('ObjectType', definition.name, catalog), ...edgesAt(definition.name, catalog)];
    case 'edgeType':
      return [...policiesNaming('EdgeType', definition.name, catalog), ...endsOf(definition, catalog)];
    case 'policy':
      return namedBy(definition, catalog);
    case 'tenant':
      return [...catalog.principal.values()]
        .filter(({ document }) => document.tenant === definition.name)
        .map(({ name }) => ({ kind: 'principal', name, how: 'belongs to it' }));
    case 'principal':
      return [{ kind: 'tenant', name: definition.document.tenant, how: 'it belongs to' }];
  }
}

function edgesAt(name: string, catalog: Catalog): Relation[] {
  return [...catalog.edgeType.values()]
    .filter(({ document }) => document.from === name || document.to === name)
    .map((edge): Relation => {
      const { from, to } = edge.document;
      return { kind: 'edgeType', name: edge.name, how: from === name ? `leads to ${to}` : `comes from ${from}` };
    });
}

function endsOf({ name, document }: Extract<Definition, { kind: 'edgeType' }>, catalog: Catalog): Relation[] {
  const forward = [...catalog.edgeType.values()].filter((edge) => edge.document.inverse === name);
  return [
    { kind: 'objectType', name: document.from, how: 'it starts from' },
    { kind: 'objectType', name: document.to, how: 'it leads to' },
    ...(document.inverse === undefined
      ? []
      : [{ kind: 'edgeType', name: document.inverse, how: 'its inverse' } as const]),
    ...forward.map((edge): Relation => ({ kind: 'edgeType', name: edge.name, how: 'it is the inverse of' })),
  ];
}

const KINDS: Readonly<Record<string, Relation['kind']>> = {
  ObjectType: 'objectType',
  EdgeType: 'edgeType',
  Service: 'principal',
  User: 'principal',
  Agent: 'principal',
  Operator: 'principal',
};

function namedBy(definition: Extract<Definition, { kind: 'policy' }>, catalog: Catalog): Relation[] {
  const { policy } = readPolicy(definition);
  const seen = new Map<string, Relation>();
  for (const { type, id } of policy?.names ?? []) {
    const kind = KINDS[type];
    if (kind === undefined || !catalog.names.has(`${kind} ${id}`)) continue;
    seen.set(`${kind} ${id}`, { kind, name: id, how: 'it names' });
  }
  return [...seen.values()];
}

function policiesNaming(type: string, id: string, catalog: Catalog): Relation[] {
  return [...catalog.policy.values()]
    .filter((definition) => readPolicy(definition).policy?.names.some((one) => one.type === type && one.id === id))
    .map(({ name }) => ({ kind: 'policy', name, how: 'names it' }));
}
