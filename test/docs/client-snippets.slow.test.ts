import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const TYPES = join(ROOT, 'docs/example-app/habitat.ts');
const folder = mkdtempSync(join(tmpdir(), 'habitat-snippets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');
const snippets = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, snippet = '']) => snippet);

test('every snippet of docs/client.md compiles, one after another in one module', () => {
  expect(snippets.length).toBeGreaterThan(8);
  const isImport = (line: string) => line.startsWith('import ');
  const lines = snippets.join('\n').split('\n');
  // Imports of one module may repeat; a name may not.
  const imports = [...new Set(lines.filter(isImport))].map((line) => line.replace('./habitat.ts', TYPES));
  const module = [
    ...imports,
    ...lines.filter((line) => !isImport(line)),
    'export const used = [edge, some, count, next, session, kept];',
  ];
  const file = join(folder, 'snippets.ts');
  writeFileSync(file, module.join('\n'));
  const program = ts.createProgram([file], {
    ...{ strict: true, noEmit: true, skipLibCheck: true, verbatimModuleSyntax: true, allowImportingTsExtensions: true },
    ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ...{ target: ts.ScriptTarget.ES2024, lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'] },
    paths: { 'habitat-client': [join(ROOT, 'gateway/client/client.ts')] },
    ...{ typeRoots: [join(ROOT, 'node_modules/@types')], types: ['node'] },
  });
  const errors = ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0, file: at }) => {
    const line = at?.text.slice(0, start).split('\n').length ?? 0;
    return `${module[line - 1]}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  expect(errors).toEqual([]);
});
