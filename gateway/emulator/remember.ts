/** A function of a text that keeps what it computed, for texts that come again and again; starts over at `limit`. */
export function remember<T>(compute: (text: string) => T, limit: number): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const value = compute(text);
    if (known.size >= limit) known.clear();
    known.set(text, value);
    return value;
  };
}
