import { badRequest, CosmosError, notFound } from '#gateway/emulator/errors.ts';
import { clearSizes } from '#gateway/emulator/items/partition-size.ts';
import { rebuildTable } from '#gateway/emulator/items/rebuild.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';
import { type Container, type ContainerRow, containerFromRow, RANGE_ID } from './container.ts';
import {
  type ContainerDefinition,
  checkReplacement,
  checkResourceName,
  definitionText,
  parseDefinition,
} from './definition.ts';
import { createIndexes, createTable } from './table.ts';
import { upgradeTables } from './upgrade.ts';

export interface DatabaseRow {
  readonly num: number;
  readonly id: string;
  readonly ts: number;
}

/** Databases and containers. The writing methods must run inside a group commit. */
export interface Catalog {
  listDatabases(): readonly DatabaseRow[];
  database(id: string): DatabaseRow;
  createDatabase(id: unknown, tsSeconds: number): DatabaseRow;
  deleteDatabase(id: string): void;
  listContainers(databaseId: string): readonly Container[];
  container(databaseId: string, id: string): Container;
  createContainer(databaseId: string, body: unknown, tsSeconds: number): Container;
  /** Takes on another indexing policy or default time to live; all items are written anew before it returns. */
  replaceContainer(databaseId: string, id: string, change: ContainerChange): Container;
  deleteContainer(databaseId: string, id: string): void;
  allContainers(): readonly Container[];
  /** Drops what is remembered of names. Called after a group that made or removed one, committed or not. */
  forget(): void;
}

export interface ContainerChange {
  readonly body: unknown;
  readonly tsSeconds: number;
}

const SELECT_CONTAINERS = `SELECT c.num, c.database AS databaseNum, d.id AS databaseId, c.id, c.definition, c.ts
  FROM containers c JOIN databases d ON d.num = c.database`;

export function openCatalog(store: Store): Catalog {
  // Keyed by number, because a rolled-back or repeated create never reuses one.
  const known = new Map<number, { readonly definition: string; readonly container: Container }>();
  const toContainer = (row: ContainerRow): Container => {
    const remembered = known.get(row.num);
    if (remembered?.definition === row.definition) return remembered.container;
    const container = containerFromRow(row);
    known.set(row.num, { definition: row.definition, container });
    return container;
  };
  // By `database/container`; neither id may hold a slash.
  const byName = new Map<string, Container>();
  const select = (where: string, ...values: (string | number)[]): readonly Container[] =>
    (store.prepare(`${SELECT_CONTAINERS} ${where}`).all(...values) as unknown as ContainerRow[]).map(toContainer);
  const catalog: Catalog = {
    listDatabases: () =>
      store.prepare('SELECT num, id, ts FROM databases ORDER BY id').all() as unknown as DatabaseRow[],
    database(id) {
      const row = store.prepare('SELECT num, id, ts FROM databases WHERE id = ?').get(id);
      if (row === undefined) throw notFound(`Database ${id}`);
      return row as unknown as DatabaseRow;
    },
    createDatabase: (id, tsSeconds) => createDatabase(store, catalog, { id, tsSeconds }),
    deleteDatabase(id) {
      const { num } = catalog.database(id);
      byName.clear();
      for (const container of catalog.listContainers(id)) dropContainer(store, container);
      store.prepare('DELETE FROM databases WHERE num = ?').run(num);
    },
    listContainers: (databaseId) => select('WHERE c.database = ? ORDER BY c.id', catalog.database(databaseId).num),
    container(databaseId, id) {
      const name = `${databaseId}/${id}`;
      const remembered = byName.get(name);
      if (remembered !== undefined) return remembered;
      const [container] = select('WHERE d.id = ? AND c.id = ?', databaseId, id);
      if (container === undefined) {
        throw new CosmosError(404, `Container ${name} does not exist.`, { subStatus: 1003 });
      }
      byName.set(name, container);
      return container;
    },
    createContainer: (databaseId, body, tsSeconds) => createContainer(store, catalog, { databaseId, body, tsSeconds }),
    replaceContainer(databaseId, id, { body, tsSeconds }) {
      const before = catalog.container(databaseId, id);
      const definition = parseDefinition(body);
      checkReplacement(before.definition, definition);
      const text = checkedText(definition);
      store.prepare('UPDATE containers SET definition = ?, ts = ? WHERE num = ?').run(text, tsSeconds, before.num);
      byName.clear();
      const container = catalog.container(databaseId, id);
      rebuildTable(store, container, tsSeconds);
      return container;
    },
    deleteContainer(databaseId, id) {
      const container = catalog.container(databaseId, id);
      byName.clear();
      dropContainer(store, container);
    },
    allContainers: () => select(''),
    forget: () => byName.clear(),
  };
  upgradeTables(store, catalog.allContainers);
  return catalog;
}

function createDatabase(
  store: Store,
  catalog: Catalog,
  { id, tsSeconds }: { id: unknown; tsSeconds: number },
): DatabaseRow {
  const name = checkResourceName(id);
  const taken = store.prepare('SELECT 1 FROM databases WHERE id = ?').get(name);
  if (taken !== undefined) throw new CosmosError(409, `Database ${name} already exists.`);
  store.prepare('INSERT INTO databases (id, ts) VALUES (?, ?)').run(name, tsSeconds);
  return catalog.database(name);
}

interface NewContainer {
  readonly databaseId: string;
  readonly body: unknown;
  readonly tsSeconds: number;
}

function createContainer(store: Store, catalog: Catalog, { databaseId, body, tsSeconds }: NewContainer): Container {
  const { num } = catalog.database(databaseId);
  const definition = parseDefinition(body);
  const id = checkResourceName(definition.id);
  if (catalog.listContainers(databaseId).some((container) => container.id === id)) {
    throw new CosmosError(409, `Container ${id} already exists.`);
  }
  store
    .prepare('INSERT INTO containers (database, id, definition, ts) VALUES (?, ?, ?, ?)')
    .run(num, id, checkedText(definition), tsSeconds);
  const container = catalog.container(databaseId, id);
  createTable(store, container);
  createIndexes(store, container);
  store.prepare('INSERT INTO ranges (container, id, lsn) VALUES (?, ?, 0)').run(container.num, RANGE_ID);
  return container;
}

function checkedText(definition: ContainerDefinition): string {
  const text = definitionText(definition);
  if (text.length > 64 * 1024) throw badRequest('The container definition is larger than 64 KB.');
  return text;
}

function dropContainer(store: Store, container: Container): void {
  store.db.exec(`DROP TABLE ${container.table}`);
  clearSizes(store, container);
  store.prepare('DELETE FROM ranges WHERE container = ?').run(container.num);
  store.prepare('DELETE FROM containers WHERE num = ?').run(container.num);
}
