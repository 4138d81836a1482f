/** A number as people read it: `1,400,000`. */
export function figure(value: number): string {
  return value.toLocaleString('en-US');
}
