import type { PolicyContent } from '#gateway/policy/engine.ts';
import { itemOf, itemsOf, type TableItem } from './items.ts';
import { openTable } from './table.ts';

/** What decisions depend on, over the table of a release. */
export function policyContentOf(shared: SharedArrayBuffer): PolicyContent {
  const table = openTable(shared);
  const find = <K extends 'objectType' | 'edgeType' | 'tenant' | 'principal'>(kind: K) => {
    return (name: string): TableItem<K> | undefined => {
      const at = table.find(kind, name);
      return at < 0 ? undefined : itemOf(table, kind, at);
    };
  };
  return {
    policies: itemsOf(table, 'policy'),
    objectType: find('objectType'),
    edgeType: find('edgeType'),
    tenant: find('tenant'),
    principal: find('principal'),
  };
}
