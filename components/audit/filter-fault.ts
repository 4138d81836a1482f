/** What the server could not read in a filter line, and where. */
export interface FilterFault {
  readonly message: string;
  /** The line in three pieces, so that the middle one can be marked. */
  readonly before: string;
  readonly token: string;
  readonly after: string;
}

/** Reads the server's answer to a line: `fields.filter` is `position: message`, counted from 0. */
export function faultOf(line: string, fields: Readonly<Record<string, string>>): FilterFault | undefined {
  const match = /^(\d+): (.+)$/s.exec(fields.filter ?? '');
  if (match === null) return undefined;
  const at = Math.min(Number(match[1]), line.length);
  // A token ends at the next space outside quotes, as the server cuts it.
  const token = /^(?:-?[A-Za-z]+:)?(?:"[^"]*"?|\S*)/.exec(line.slice(at))?.[0] ?? '';
  return {
    message: match[2] ?? '',
    before: line.slice(0, at),
    token: token === '' ? line.slice(at) : token,
    after: token === '' ? '' : line.slice(at + token.length),
  };
}
