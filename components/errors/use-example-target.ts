'use client';

import { useQuery } from '@tanstack/react-query';
import { definitionsQuery, neighboursQuery } from '#components/definitions/queries.ts';
import { useShell } from '#components/shell/queries.ts';
import type { ExampleTarget } from './example-request.ts';

const ALL = 200;

/** What somebody chose to see examples about; the first of each stands in for what was not chosen. */
export interface Chosen {
  readonly tenant?: string | undefined;
  readonly objectType?: string | undefined;
  readonly edgeType?: string | undefined;
}

export interface ExampleScope {
  readonly tenants: readonly string[];
  readonly objectTypes: readonly string[];
  /** The first edge types that start at the object type and are no inverse: those are written by their forward type. */
  readonly edgeTypes: readonly string[];
  /** Null when there is no tenant or no object type to call for. */
  readonly target: ExampleTarget | null;
  /** The command line that reads the demo key, in the embedded default. */
  readonly demoKeyCommand: string | undefined;
}

/** What examples can be about in this installation; undefined while it is being read. */
export function useExampleScope(chosen: Chosen): ExampleScope | undefined {
  const shell = useShell().data;
  const tenants = useNames('tenant');
  const objectTypes = useNames('objectType');
  const tenant = chosen.tenant ?? tenants?.[0];
  const from = chosen.objectType ?? objectTypes?.[0];
  const around = useQuery({
    ...neighboursQuery('objectType', from ?? '', { way: 'out', limit: ALL }),
    enabled: from !== undefined,
  });
  if (shell === undefined || tenants === undefined || objectTypes === undefined) return;
  const { demoKeyCommand, gatewayUrl } = shell;
  const none = { tenants, objectTypes, edgeTypes: [], target: null, demoKeyCommand };
  if (tenant === undefined || from === undefined) return none;
  if (around.isPending) return;
  const starting = around.data?.items ?? [];
  const edge = starting.find((one) => one.edge === chosen.edgeType) ?? starting[0];
  const other = starting.find((one) => one !== edge && one.to === edge?.to);
  return {
    ...none,
    edgeTypes: starting.map((one) => one.edge),
    target: {
      ...{ gatewayUrl, tenant, from },
      edgeType: edge?.edge ?? null,
      to: edge?.to ?? null,
      otherEdgeType: other?.edge ?? null,
    },
  };
}

/** Published names of a kind. A list that cannot be read leaves the page without examples, not without its text. */
function useNames(kind: 'tenant' | 'objectType'): readonly string[] | undefined {
  const { data, isError } = useQuery(definitionsQuery({ kind, limit: ALL }));
  return isError ? [] : data?.items.map(({ name }) => name);
}
