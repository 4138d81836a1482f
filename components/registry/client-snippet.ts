import { quoted, type SnippetOperation, type SnippetTarget } from './snippets.ts';

/** The same call with the client library (docs/client.md), for a file beside what `npx habitat types habitat.ts` writes. */
export function clientSnippetOf({ id }: SnippetOperation, target: SnippetTarget): string {
  return [
    ...clientOpening(target),
    ...(target.kind === 'objectType' ? objectLines(id, target) : edgeLines(id, target)),
    'await client.close();',
  ].join('\n');
}

/** The lines that every snippet of the client library begins with. `habitat.ts` is what `npx habitat types` writes. */
export function clientOpening({ gatewayUrl, tenant }: Pick<SnippetTarget, 'gatewayUrl' | 'tenant'>): readonly string[] {
  return [
    "import { createClient } from 'habitat-client';",
    "import { habitat } from './habitat.ts';",
    '',
    'const client = createClient({',
    '  types: habitat,',
    `  endpoints: [${quoted(gatewayUrl.replace(/\/$/, ''))}],`,
    `  tenant: ${quoted(tenant)},`,
    "  key: process.env['HABITAT_KEY'] ?? '',",
    '});',
  ];
}

const CONTENT = "{ json: { hello: 'world' } }";

function objectLines(id: string, { type, id: objectId }: SnippetTarget & { kind: 'objectType' }): readonly string[] {
  const call = {
    'object.put': `await client.objects.put(ref, ${CONTENT})`,
    'object.get': '(await client.objects.get(ref))?.text()',
    commit: `await client.commit(ref, (part) => [part.put(${CONTENT})])`,
    'object.delete': 'await client.objects.delete(ref)',
  }[id];
  return [`const ref = client.ref(${quoted(type)}, ${quoted(objectId)});`, `console.log(${call});`];
}

function edgeLines(id: string, target: SnippetTarget & { kind: 'edgeType' }): readonly string[] {
  const call = {
    'edge.put': 'await client.edges.put(edge)',
    'edge.list': 'await client.edges.list(edge, { limit: 50 })',
    'edge.count': 'await client.edges.count(edge)',
    'edge.get': 'await client.edges.get(edge)',
    'edge.delete': 'await client.edges.delete(edge)',
  }[id];
  // The ends' types are the registry's: what the edge leads to is known to the module.
  return [
    'const edge = {',
    `  from: client.ref(${quoted(target.from)}, ${quoted(target.id)}),`,
    `  type: ${quoted(target.type)},`,
    `  to: client.ref(habitat.edges.${target.type}.to, ${quoted(target.toId)}),`,
    '} as const;',
    `console.log(${call});`,
  ];
}
