'use client';

import { textAt } from '#components/definitions/document.ts';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { useFormWiring } from './form-context.ts';
import { Row } from './form-rows.tsx';
import { ReferenceInput } from './reference-input.tsx';

interface ReferenceRowProps {
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
  /** The kind of definition that is named. */
  readonly kind: DefinitionKind;
  readonly isFixed?: boolean;
}

/** The name of another definition, with what could be meant. */
export function ReferenceRow({ path, label, hint, kind, isFixed = false }: ReferenceRowProps) {
  const { draft, book, set, touch, readOnlyWhy } = useFormWiring();
  return (
    <Row path={path} label={label} hint={hint}>
      <ReferenceInput
        kind={kind}
        book={book}
        readOnly={isFixed || readOnlyWhy !== undefined}
        value={textAt(draft.document, path)}
        onChange={(value, isKnown) => {
          set(path, value);
          if (isKnown) touch(path);
        }}
      />
    </Row>
  );
}
