/** A table of the report, in words of a person; every cell is text. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What one part of the bench came to. */
export interface Section {
  readonly title: string;
  /** What was measured, and how: topology, load, seed. */
  readonly conditions: readonly string[];
  readonly tables: readonly Table[];
  /** What is to be said about the figures: gates that could not be judged, what was left out and why. */
  readonly remarks: readonly string[];
  /** The figures themselves, for machines. */
  readonly data: unknown;
}

/** A section as Markdown, to be read on a terminal and put into a document as it is. */
export function markdownOf({ title, conditions, tables, remarks }: Section): string {
  const lines = [`## ${title}`, '', ...conditions, ''];
  for (const { columns, rows } of tables) {
    lines.push(rowOf(columns), rowOf(columns.map(() => '---')), ...rows.map(rowOf), '');
  }
  if (remarks.length > 0) lines.push(...remarks.map((remark) => `- ${remark}`), '');
  return lines.join('\n');
}

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
