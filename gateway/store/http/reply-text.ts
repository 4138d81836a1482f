const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

/**
 * The body as the SDK can read it. It reads `.message` of every failure's JSON, so an empty or HTML body (a proxy's
 * 502) would end in a TypeError that hides the status; and it takes an empty body under 200 for an item that is not
 * there, and a redirect for a success. Null when the reply says nothing about what happened.
 */
export function readableText(status: number, text: string): string | null {
  if (status === NO_CONTENT || status === NOT_MODIFIED) return '';
  if (status < 300) return looksLikeJson(text) ? text : null;
  if (status < 400) return null;
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
