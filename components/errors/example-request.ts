import type { ApiExample, ApiOperation } from '#gateway/contract/api/api-operation.ts';

/** What the examples of this installation call, in place of the names that the description uses. */
export interface ExampleTarget {
  readonly gatewayUrl: string;
  readonly tenant: string;
  /** The object type that examples are about. */
  readonly from: string;
  /** The edge type that starts there, where it ends, and another one with the same ends. */
  readonly edgeType: string | null;
  readonly to: string | null;
  readonly otherEdgeType: string | null;
}

export interface ExampleRequest {
  readonly method: ApiOperation['method'];
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

/** The example as a request of this installation. Every path segment is URL-safe whatever the names are. */
export function exampleRequest(
  { method, path }: ApiOperation,
  example: ApiExample,
  target: ExampleTarget,
): ExampleRequest {
  const rename = renamer(target);
  const place = path
    .replace('{tenant}', encodeURIComponent(target.tenant))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(rename(example.path[name] ?? '')));
  const query = new URLSearchParams(example.query?.map(([name, value]) => [name, value]));
  const search = query.size === 0 ? '' : `?${query}`;
  return {
    method,
    url: `${target.gatewayUrl.replace(/\/$/, '')}${place}${search}`,
    headers: Object.entries(example.headers ?? {}),
    body: example.body === undefined ? undefined : JSON.stringify(renamed(example.body, rename)),
  };
}

/** A curl command for a POSIX shell; the key comes from the environment and never stands in the text. */
export function curlOfExample({ method, url, headers, body }: ExampleRequest): string {
  const lines = [
    `curl -i -X ${method}`,
    shellQuoted(url),
    '-H "Authorization: Bearer $HABITAT_KEY"',
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${shellQuoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Whether the example needs an edge type, or two with the same ends. */
export function needsOf({ path, id }: ApiOperation): 'objectType' | 'edgeType' | 'twoEdgeTypes' {
  if (id === 'edge.changeType') return 'twoEdgeTypes';
  return path.includes('{edgeType}') || id === 'commit' || id === 'batch' ? 'edgeType' : 'objectType';
}

function renamer({ from, edgeType, to, otherEdgeType }: ExampleTarget): (name: string) => string {
  const names: Readonly<Record<string, string | null>> = {
    Conversation: from,
    Message: to ?? from,
    messages: edgeType,
    archived: otherEdgeType,
  };
  return (name) => (Object.hasOwn(names, name) ? (names[name] ?? name) : name);
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (typeof value === 'string') return rename(value);
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(one, rename)]));
}

/** Inside single quotes a POSIX shell changes nothing; a quote itself has to step outside. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
