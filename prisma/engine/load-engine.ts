import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { z } from 'zod';
import { createAdapterFactory } from './adapter.ts';

const exportsSchema = z.looseObject({ __wbindgen_start: z.custom<() => void>((value) => typeof value === 'function') });

/** An engine and the way to the driver's own error behind one that came through WebAssembly. */
export type LoadedEngine = {
  readonly engine: bindings.SchemaEngine;
  readonly consumeError: (id: number) => unknown;
};

/** Starts the WebAssembly build of Prisma's schema engine over our connection to the database. */
export async function loadEngine(url: string | undefined, schemaFiles: readonly string[]): Promise<LoadedEngine> {
  await instantiate();
  const files = schemaFiles.map(async (file): Promise<[string, string]> => [file, await readFile(file, 'utf8')]);
  // An empty list makes the engine panic; no list at all is what it expects.
  const datamodels = files.length === 0 ? undefined : await Promise.all(files);
  const factory = bindMigrationAwareSqlAdapterFactory(url === undefined ? absentFactory() : createAdapterFactory(url));
  const engine = await bindings.SchemaEngine.new({ datamodels }, () => undefined, factory);
  return { engine, consumeError: (id) => factory.errorRegistry.consumeError(id) };
}

/** Where the engine leaves its last words when it panics; it looks for the global of this name and nothing else. */
export const panicRegistry = {
  message: '',
  set_message(message: string): void {
    panicRegistry.message = message;
  },
};

async function instantiate(): Promise<void> {
  const path = fileURLToPath(import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const bytes = await readFile(path.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': { ...bindings } });
  Reflect.set(globalThis, 'PRISMA_WASM_PANIC_REGISTRY', panicRegistry);
  bindings.__wbg_set_wasm(instance.exports);
  exportsSchema.parse(instance.exports).__wbindgen_start();
}

/** For commands that need no database: whoever asks for one all the same hears why there is none. */
function absentFactory(): SqlMigrationAwareDriverAdapterFactory {
  const refuse = () => Promise.reject(new Error('No database URL: set DATABASE_URL.'));
  return { provider: 'postgres', adapterName: '@prisma/adapter-pg', connect: refuse, connectToShadowDb: refuse };
}
