import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Comparison, keyOf } from '#server/cli/compare.ts';
import type { ExportedDefinition } from '#server/contract/as-code.ts';
import type { FileDefinition } from './read-files.ts';
import { editJson, editYaml, type Renderable, renderJson, renderYaml } from './render.ts';

export type Format = 'yaml' | 'json';

export interface Written {
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Files of definitions that are not published, left as they are. */
  readonly onlyHere: readonly string[];
}

interface Place {
  readonly folder: string;
  readonly cwd: string;
  readonly format: Format;
  readonly deletes: boolean;
}

/**
 * Brings the files of a folder to what is published. A file that says it already is not touched; one that differs is
 * edited where it stands and keeps its comments; a new one is `<kind>/<name>`. Equal input leaves equal files.
 */
export function writeFiles(comparison: Comparison, place: Place): Written {
  const { cwd, deletes } = place;
  const written = [
    ...comparison.different.map(({ here, there }) => rewrite(here, there)),
    ...newPaths(comparison.missingHere, place).map(({ path, definition }) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, render(place.format, definition));
      return relative(cwd, path);
    }),
  ];
  const extra = [...new Set(comparison.missingThere.filter(({ ofFile }) => ofFile === 1).map(({ file }) => file.path))];
  if (deletes) for (const path of extra) rmSync(path);
  const names = extra.map((path) => relative(cwd, path)).toSorted();
  return {
    written: written.toSorted(),
    deleted: deletes ? names : [],
    onlyHere: deletes ? [] : [...new Set(comparison.missingThere.map(({ file }) => file.name))].toSorted(),
  };
}

/** Where each of these goes in a folder, as a relative path. Names that differ in case alone get a mark of their own. */
export function pathsOf(definitions: readonly Renderable[], format: Format): ReadonlyMap<string, string> {
  const taken = new Map<string, number>();
  for (const { kind, name } of definitions) {
    const lower = `${kind}/${name.toLowerCase()}`;
    taken.set(lower, (taken.get(lower) ?? 0) + 1);
  }
  return new Map(
    definitions.map((definition) => {
      const { kind, name } = definition;
      const isAlone = taken.get(`${kind}/${name.toLowerCase()}`) === 1;
      const mark = isAlone ? '' : `~${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;
      return [keyOf(definition), join(kind, `${name}${mark}.${format}`)];
    }),
  );
}

function newPaths(definitions: readonly ExportedDefinition[], { folder, format }: Place) {
  const paths = pathsOf(definitions, format);
  return definitions.map((definition) => ({
    definition,
    path: join(folder, paths.get(keyOf(definition)) ?? `${definition.name}.${format}`),
  }));
}

function rewrite(here: FileDefinition, there: ExportedDefinition): string {
  const { path, name } = here.file;
  const text = readFileSync(path, 'utf8').replace(/^\u{feff}/u, '');
  writeFileSync(path, name.toLowerCase().endsWith('.json') ? editJson(text, there) : editYaml(text, there));
  return name;
}

function render(format: Format, definition: Renderable): string {
  return format === 'json' ? renderJson(definition) : renderYaml(definition);
}
