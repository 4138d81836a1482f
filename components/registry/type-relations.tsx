import { Relations } from '#components/definitions/related-ledger.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { Neighbours } from './neighbours.tsx';

const NONE = { total: 0, lines: 0, drawn: [] };

/** What would have to move with a type: the edge types around it, and the policies that name it. */
export function TypeRelations({ detail }: { readonly detail: DefinitionDetail }) {
  const { name } = detail.row;
  const policies = detail.relatedTo.filter(({ kind }) => kind === 'policy');
  return (
    <Ruled>
      <Neighbours definition={detail.definition} neighbours={detail.neighbours ?? NONE} />
      <Section title="Policies" frame="ruled">
        {policies.length === 0 ? (
          <Empty>No policy names {name}. What reaches all types of its owner reaches it too.</Empty>
        ) : (
          <Relations label={`Policies that name ${name}`} rows={policies} />
        )}
      </Section>
    </Ruled>
  );
}
