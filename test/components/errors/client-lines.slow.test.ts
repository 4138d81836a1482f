import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { clientLines, clientSetup } from '#components/errors/client-lines.ts';
import { needsOf } from '#components/errors/example-request.ts';
import { API_OPERATIONS } from '#gateway/contract/api/api-operations.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'habitat-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TARGET = {
  ...{ gatewayUrl: 'http://127.0.0.1:4000', tenant: 'shop', from: 'Order' },
  ...{ edgeType: 'lines', to: 'Line', otherEdgeType: 'returned' },
};
const HABITAT = `export const habitat = {
  objects: { Order: {}, Line: {} },
  edges: { lines: { from: 'Order', to: 'Line' }, returned: { from: 'Order', to: 'Line' } },
} as const;`;

function errorsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const program = ts.createProgram(paths, {
    ...{ strict: true, noEmit: true, skipLibCheck: true, verbatimModuleSyntax: true, allowImportingTsExtensions: true },
    ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ...{ target: ts.ScriptTarget.ES2024, lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'] },
    paths: { 'habitat-client': [join(ROOT, 'gateway/client/client.ts')] },
    ...{ typeRoots: [join(ROOT, 'node_modules/@types')], types: ['node'] },
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

test('the lines of every operation compile with the client library and the types of a registry', () => {
  const modules = API_OPERATIONS.map((call) => {
    const setup = clientSetup(TARGET, needsOf(call) !== 'objectType');
    return [`${call.id}.ts`, `${setup}\n\n${clientLines(call.id, TARGET)}\nexport {};\n`] as const;
  });
  expect(errorsOf({ 'habitat.ts': HABITAT, ...Object.fromEntries(modules) })).toEqual([]);
  const wrong = `${clientSetup(TARGET, true)}\nawait client.edges.put({ ...edges, to: object });\nexport {};\n`;
  expect(errorsOf({ 'habitat.ts': HABITAT, 'wrong.ts': wrong }).join()).toMatch(/wrong\.ts: .*Order.*Line/);
});
