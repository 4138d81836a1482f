import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import ts from 'typescript';

// `npm run pack:client -- FOLDER`: the client as a package that needs nothing of this repository.

const SOURCE = import.meta.dirname;
const ROOT = resolve(SOURCE, '../..');
/** Oldest Node it runs on: that of undici, its one dependency. */
const NODE = '>=22.19';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Say where to: npm run pack:client -- FOLDER');
  process.exit(2);
}
pack(resolve(folder));
console.log(`Packed into ${folder}. To make the archive that npm installs: npm pack ${resolve(folder)}`);

/** Writes the package's folder anew. */
function pack(out: string): void {
  const sources = listSources();
  rmSync(join(out, 'lib'), { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const name of sources) write(join(out, 'lib', name.replace(/ts$/, 'js')), scriptOf(name), name);
  for (const [name, text] of declarationsOf(sources)) write(join(out, 'lib', name), text, name);
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  copyFileSync(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
  copyFileSync(join(ROOT, 'docs/client.md'), join(out, 'README.md'));
}

function manifest(): object {
  const { version, license, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly license: string;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return {
    ...{ name: 'habitat-client', version, license, type: 'module', sideEffects: false },
    description: 'TypeScript client of the Habitat gateway',
    engines: { node: NODE },
    exports: { '.': { types: './lib/client.d.ts', default: './lib/client.js' } },
    files: ['lib'],
    dependencies: { undici: dependencies.undici },
  };
}

/** Paths below this folder, `/` between. This file is not part of the package. */
function listSources(): readonly string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && name !== 'pack.ts');
}

function scriptOf(name: string): string {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  };
  return ts.transpileModule(readFileSync(join(SOURCE, name), 'utf8'), { compilerOptions, fileName: name }).outputText;
}

/** Fails when the sources do not compile. */
function declarationsOf(sources: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const program = ts.createProgram(
    sources.map((name) => join(SOURCE, name)),
    {
      ...{ strict: true, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true, skipLibCheck: true },
      ...{ declaration: true, emitDeclarationOnly: true, allowImportingTsExtensions: true, rootDir: SOURCE },
      ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
      ...{ target: ts.ScriptTarget.ES2024, lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'], outDir: '/out' },
      ...{ typeRoots: [join(ROOT, 'node_modules/@types')], types: ['node'] },
    },
  );
  const { diagnostics } = program.emit(undefined, (file, text) => void found.set(relative('/out', file), text));
  const errors = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (errors.length > 0) {
    const host = {
      getCanonicalFileName: (name: string) => name,
      getCurrentDirectory: () => ROOT,
      getNewLine: () => '\n',
    };
    throw new Error(ts.formatDiagnostics(errors, host));
  }
  return found;
}

function write(path: string, text: string, name: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, packagedImports(text, name));
}

/** Imports of this folder's files, which the repository names from its root, as paths between the package's own. */
function packagedImports(text: string, name: string): string {
  const from = posix.dirname(name);
  return text.replaceAll(
    /(['"])(#gateway\/client\/|\.\/)([\w/-]+)\.ts\1/g,
    (_all, _quote, root: string, path: string) => {
      const target = root === './' ? posix.join(from, path) : path;
      const between = posix.relative(from, target);
      return `'${between.startsWith('.') ? between : `./${between}`}.js'`;
    },
  );
}
