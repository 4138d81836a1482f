import type { Json } from '#gateway/emulator/json.ts';

/** A path from the root of the document; empty for the document itself. */
export type Path = readonly (string | number)[];

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

export type Expression =
  | { readonly kind: 'literal'; readonly value: Json | undefined }
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'compare'; readonly op: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'in'; readonly operand: Expression; readonly list: readonly Expression[] }
  | { readonly kind: 'between'; readonly operand: Expression; readonly low: Expression; readonly high: Expression }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] };

export const FUNCTIONS = ['ARRAY_CONTAINS', 'IS_DEFINED'] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

export type Selection =
  | { readonly kind: 'all' }
  | { readonly kind: 'value'; readonly expression: Expression }
  | { readonly kind: 'list'; readonly fields: readonly { readonly name: string; readonly expression: Expression }[] }
  /** `COUNT(1)`: a bare number with VALUE, else an object with one property. */
  | { readonly kind: 'count'; readonly name: string | undefined };

export interface OrderPath {
  readonly path: Path;
  readonly descending: boolean;
}

export interface Query {
  readonly selection: Selection;
  readonly where: Expression | undefined;
  /** Empty for no order; several paths need a composite index. */
  readonly order: readonly OrderPath[];
  readonly offset: number;
  /** Undefined for no limit. TOP and LIMIT both end here. */
  readonly limit: number | undefined;
}
