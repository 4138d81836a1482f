import type { Document } from '#components/definitions/document.ts';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { DEFAULT_EDGE_DATA_BYTES, MAX_LIST_CAP } from '#gateway/contract/definitions/edge-type.ts';

/** What a new definition of a kind starts from: safe defaults, nothing that its author must know first. */
export function newDocument(kind: DefinitionKind, ownerTeam: string): Document {
  switch (kind) {
    case 'objectType':
      return {
        ownerTeam,
        description: '',
        classification: 'internal',
        maxBytes: 65_536,
        audit: { reads: 'none', writes: 'all' },
      };
    case 'edgeType':
      return {
        ownerTeam,
        description: '',
        from: '',
        to: '',
        cardinality: 'many',
        listCap: MAX_LIST_CAP,
        maxEdges: 1_000_000,
        dataMaxBytes: DEFAULT_EDGE_DATA_BYTES,
        audit: { reads: 'none', writes: 'all' },
      };
    case 'policy':
      return { ownerTeam, description: '', cedar: '' };
    case 'tenant':
      return {
        ownerTeam,
        displayName: '',
        quotas: { readsPerSecond: 500, writesPerSecond: 200, ruPerSecond: 10_000, inFlight: 200 },
        mode: 'enforce',
      };
    case 'principal':
      return { ownerTeam, description: '', tenant: '', actorKind: 'service', groups: [], disabled: false };
  }
}
