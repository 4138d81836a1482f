/** Whether a browser that calls itself this stands at a keyboard with ⌘. The server asks, so that the first paint is right. */
export function hasAppleKeyboard(userAgent: string | null): boolean {
  return /\b(Macintosh|iPhone|iPad)\b/.test(userAgent ?? '');
}
