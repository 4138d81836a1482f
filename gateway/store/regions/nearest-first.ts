/** Sorts regions by a list of names, nearest first; those that it does not name follow in their own order. */
export function nearestFirst<T extends { readonly name: string }>(
  regions: readonly T[],
  preferred: readonly string[],
): T[] {
  const wanted = preferred.map(plainName);
  const rankOf = ({ name }: T) => {
    const rank = wanted.indexOf(plainName(name));
    return rank === -1 ? wanted.length : rank;
  };
  return [...regions].sort((a, b) => rankOf(a) - rankOf(b));
}

/** `East US 2` and `eastus2` are one region, as for the SDK. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(' ', '');
}
