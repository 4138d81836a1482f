import type { z } from 'zod';
import type { Corrupt } from '#gateway/contract/local-cosmos.ts';
import type { Container } from '#gateway/emulator/catalog/container.ts';
import { CosmosError } from '#gateway/emulator/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '#gateway/emulator/json.ts';
import type { Account } from '#gateway/emulator/regions/region.ts';
import { valueAt } from '#gateway/emulator/store/index-key.ts';
import { ControlRefused } from './control-refused.ts';

/** As a bad disk would: the body changes by one character, the etag, the time and the change feed do not. */
export async function corruptItem({ endpoint }: Account, target: z.infer<typeof Corrupt>): Promise<void> {
  const { store, catalog, commit } = endpoint;
  const container = containerOf(catalog.container, target);
  await commit.submit(() => {
    const where = `${container.table} WHERE pk = ? AND id = ?`;
    const key = [JSON.stringify([target.partition]), target.id];
    const row = store.prepare(`SELECT body FROM ${where}`).get(...key);
    if (row === undefined) throw new ControlRefused(404, `There is no item ${target.id} in that partition.`);
    const body = corrupted(JSON.parse(String(row.body)) as JsonObject, target.property);
    store.prepare(`UPDATE ${container.table} SET body = ? WHERE pk = ? AND id = ?`).run(body, ...key);
  });
}

function containerOf(
  find: (database: string, container: string) => Container,
  { database, container }: z.infer<typeof Corrupt>,
): Container {
  try {
    return find(database, container);
  } catch (error) {
    if (!(error instanceof CosmosError)) throw error;
    throw new ControlRefused(404, `There is no container ${database}/${container}.`);
  }
}

/** The document with another text at a path of property names, `content.envelope`. */
function corrupted(document: JsonObject, path: string): string {
  const steps = path.split('.');
  const value = valueAt(document, steps);
  if (typeof value !== 'string' || value === '') {
    throw new ControlRefused(409, `The item has no text in ${path}.`);
  }
  return JSON.stringify(replaced(document, steps, otherText(value)));
}

/** The character in the middle becomes another letter, which keeps base64 decodable: nothing but a checksum can tell. */
function otherText(text: string): string {
  const at = Math.floor(text.length / 2);
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}

function replaced(value: Json | undefined, [step, ...rest]: readonly string[], text: string): Json {
  if (step === undefined || !isJsonObject(value)) return text;
  return { ...value, [step]: replaced(value[step], rest, text) };
}
