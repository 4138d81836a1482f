/** `work` over each of `items`, at most `parallel` at a time, results in their order. The first failure is thrown. */
export async function eachOf<T, R>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const runner = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, runner));
  return results;
}
