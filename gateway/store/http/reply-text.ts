/**
 * The body as the SDK can read it. It reads `.message` of every failure's JSON, so an empty or HTML body (a proxy's
 * 502) would end in a TypeError that hides the status. Null when a success carries something that is not JSON: such a
 * reply says nothing about what happened.
 */
export function readableText(status: number, text: string): string | null {
  if (status < 400) return text === '' || looksLikeJson(text) ? text : null;
  return isFailureBody(text)
    ? text
    : JSON.stringify({ code: String(status), message: `HTTP ${status} without a reason` });
}

function looksLikeJson(text: string): boolean {
  const first = text.trimStart()[0];
  return first === '{' || first === '[';
}

function isFailureBody(text: string): boolean {
  if (!looksLikeJson(text)) return false;
  try {
    const body: unknown = JSON.parse(text);
    // The failed results of a batch are an array, which the SDK takes as it is.
    return typeof body === 'object' && body !== null && (Array.isArray(body) || 'message' in body);
  } catch {
    return false;
  }
}
