import { type Denial, deny } from '#gateway/pipeline/denial.ts';

/**
 * The parameters of a query string, `id` possibly several times, every other one once.
 * Refuses unknown, repeated and undecodable ones as `malformed_request`: none is ignored.
 */
export function readQuery(query: string, known: readonly string[]): ReadonlyMap<string, readonly string[]> | Denial {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decode(cut < 0 ? pair : pair.slice(0, cut));
    const value = decode(cut < 0 ? '' : pair.slice(cut + 1));
    if (name === null || value === null) {
      return deny('malformed_request', 'The query is not valid percent-encoded UTF-8.');
    }
    if (!known.includes(name)) {
      const says = known.length === 0 ? 'This operation takes none.' : `This operation takes ${known.join(', ')}.`;
      return deny('malformed_request', `Unknown query parameter "${name.slice(0, 64)}". ${says}`);
    }
    const values = found.get(name) ?? [];
    if (values.length > 0 && name !== 'id') {
      return deny('malformed_request', `The query parameter "${name}" comes twice.`);
    }
    found.set(name, [...values, value]);
  }
  return found;
}

/** A plain integer within bounds; null when the parameter is absent. */
export function readInteger(
  query: ReadonlyMap<string, readonly string[]>,
  name: string,
  bounds: { readonly min: number; readonly max: number },
): number | null | Denial {
  const [text] = query.get(name) ?? [];
  if (text === undefined) return null;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= bounds.min && value <= bounds.max) return value;
  return deny('malformed_request', `"${name}" is a whole number from ${bounds.min} to ${bounds.max}.`);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
