import { clientOpening } from '#components/registry/client-snippet.ts';
import type { ExampleTarget } from './example-request.ts';

/** The client, and the objects that the examples are about. */
export function clientSetup({ gatewayUrl, tenant, from, edgeType, to }: ExampleTarget, hasEdges: boolean): string {
  const edges = [
    `const edges = { from: object, type: ${quoted(edgeType ?? '')} } as const;`,
    `const to = client.ref(${quoted(to ?? '')}, 'm-1');`,
  ];
  return [
    ...clientOpening({ gatewayUrl, tenant }),
    `const object = client.ref(${quoted(from)}, 'c-7');`,
    ...(hasEdges ? edges : []),
  ].join('\n');
}

/** The same call by the client library, after `clientSetup`. */
export function clientLines(id: string, target: ExampleTarget): string {
  const ofTarget = quoted(target.to ?? target.from);
  const lines: Readonly<Record<string, string>> = {
    'object.put': "const written = await client.objects.put(object, { json: { title: 'Lunch' } });",
    'object.create': `const created = await client.objects.create(${ofTarget}, { json: { text: 'Soup?' } });`,
    'object.get': 'const found = await client.objects.get(object);\nconsole.log(found?.version, found?.json());',
    'object.delete': 'const { deleted } = await client.objects.delete(object);',
    'edge.put': "const edge = await client.edges.put({ ...edges, to }, { data: 'Ana' });",
    'edge.get': 'const edge = await client.edges.get({ ...edges, to });',
    'edge.getByIds': `const some = await client.edges.getMany(edges, [to, client.ref(${ofTarget}, 'm-9')]);`,
    'edge.list':
      'for await (const edge of client.edges.iterate(edges, { atMost: 1_000 })) {\n  console.log(edge.to.id, edge.time);\n}',
    'edge.count': 'const count = await client.edges.count(edges);',
    'edge.changeType': `const moved = await client.edges.changeType({ ...edges, to }, ${quoted(target.otherEdgeType ?? '')});`,
    commit: [
      'const committed = await client.commit(object, (part) => [',
      "  part.put({ json: { title: 'Dinner' } }),",
      `  part.putEdge({ type: ${quoted(target.edgeType ?? '')}, to }),`,
      ']);',
    ].join('\n'),
    batch: [
      'const [found, count] = await client.batch([',
      '  client.operations.objects.get(object),',
      '  client.operations.edges.count(edges),',
      ']);',
    ].join('\n'),
    'edge.delete': 'const { deleted } = await client.edges.delete({ ...edges, to });',
  };
  return lines[id] ?? '';
}

/** A single-quoted string literal; names of types have nothing in them to escape. */
const quoted = (name: string): string => `'${name}'`;
