/** Something wrong in a file, with where it is. */
export interface Problem {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** As the person would name it: relative to where they are. */
  readonly file: string;
  /** 1-based; null for the file as a whole. */
  readonly line: number | null;
  readonly column: number | null;
  /** `kind/name` of the definition, where it is known. */
  readonly definition: string | null;
  readonly message: string;
}

/** `file:line:column: error: message (code)`, the form that editors and CI take for a link. */
export function problemLine({ code, severity, file, line, column, message }: Problem): string {
  const place = line === null ? file : `${file}:${line}:${column ?? 1}`;
  return `${place}: ${severity}: ${message} (${code})`;
}
