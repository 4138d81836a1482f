/** Ends every switch over a closed union: a new member fails the build here. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}
