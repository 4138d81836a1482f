import { badRequest, CosmosError, notFound } from '#gateway/emulator/errors.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';
import { type Container, type ContainerRow, containerFromRow, createTableSql, RANGE_ID } from './container.ts';
import { checkResourceName, parseDefinition } from './definition.ts';

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
  deleteContainer(databaseId: string, id: string): void;
  allContainers(): readonly Container[];
  /** Drops what is remembered of names. Called after a group that made or removed one, committed or not. */
  forget(): void;
}

const SELECT_CONTAINERS = `SELECT c.num, c.database AS databaseNum, d.id AS databaseId, c.id, c.definition, c.ts
  FROM containers c JOIN databases d ON d.num = c.database`;

export function openCatalog(store: Store): Catalog {
  // Keyed by number, because a rolled-back or repeated create never reuses one.
  const known = new Map<number, Container>();
  const toContainer = (row: ContainerRow): Container => {
    const container = known.get(row.num) ?? containerFromRow(row);
    known.set(row.num, container);
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
    deleteContainer(databaseId, id) {
      const container = catalog.container(databaseId, id);
      byName.clear();
      dropContainer(store, container);
    },
    allContainers: () => select(''),
    forget: () => byName.clear(),
  };
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
  const text = JSON.stringify(definition);
  if (text.length > 64 * 1024) throw badRequest('The container definition is larger than 64 KB.');
  store
    .prepare('INSERT INTO containers (database, id, definition, ts) VALUES (?, ?, ?, ?)')
    .run(num, id, text, tsSeconds);
  const container = catalog.container(databaseId, id);
  store.db.exec(createTableSql(container));
  store.prepare('INSERT INTO ranges (container, id, lsn) VALUES (?, ?, 0)').run(container.num, RANGE_ID);
  return container;
}

function dropContainer(store: Store, container: Container): void {
  store.db.exec(`DROP TABLE ${container.table}`);
  store.prepare('DELETE FROM ranges WHERE container = ?').run(container.num);
  store.prepare('DELETE FROM containers WHERE num = ?').run(container.num);
}
