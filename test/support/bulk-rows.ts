import type { Database } from '#server/db/client.ts';

/** How many rows of each kind `addBulkRows` makes. */
export interface BulkSize {
  readonly objectTypes: number;
  readonly edgeTypes: number;
  readonly tenants: number;
  readonly policies: number;
  readonly changes: number;
  readonly releases: number;
  readonly auditRows: number;
  readonly gateways: number;
}

const DEFINITION = `INSERT INTO definition
  (kind, name, owner_team, description, document, revision, release_number, changed_at, changed_by_id, changed_by_name, summary)`;
const BY = `1, 1, timestamptz '2026-11-30 11:00Z' + at * interval '1 ms', 'ana', 'Ana Ruiz'`;
const AUDIT = `'audit', jsonb_build_object('reads', 'none', 'writes', 'all')`;

/** Statements that make as many rows as `$1` says, by what they make. */
const STATEMENTS: Readonly<Record<keyof BulkSize, readonly string[]>> = {
  objectTypes: [
    `${DEFINITION} SELECT 'objectType', 'Bulk' || at, 'chat', 'What product ' || at || ' keeps.', jsonb_build_object(
      'ownerTeam', 'chat', 'description', 'What product ' || at || ' keeps.', 'classification', 'internal',
      'maxBytes', 100000, ${AUDIT}), ${BY}, 'internal' FROM generate_series(1, $1::int) AS at`,
  ],
  edgeTypes: [
    `${DEFINITION} SELECT 'edgeType', 'bulk' || at, 'chat', 'Connects pair ' || at || '.', jsonb_build_object(
      'ownerTeam', 'chat', 'description', 'Connects pair ' || at || '.', 'from', 'Bulk1', 'to', 'Bulk1',
      'cardinality', 'many', 'listCap', 1000, 'maxEdges', 100000, 'dataMaxBytes', 1024, ${AUDIT}), ${BY},
      'Bulk1 → Bulk1' FROM generate_series(1, $1::int) AS at`,
  ],
  tenants: [
    `${DEFINITION} SELECT 'tenant', 'bulk-' || at, 'chat', 'Customer ' || at, jsonb_build_object(
      'ownerTeam', 'chat', 'displayName', 'Customer ' || at, 'mode', 'enforce', 'quotas', jsonb_build_object(
      'readsPerSecond', 100, 'writesPerSecond', 100, 'ruPerSecond', 1000, 'inFlight', 100)), ${BY}, '100 reads/s'
      FROM generate_series(1, $1::int) AS at`,
  ],
  policies: [
    `${DEFINITION} SELECT 'policy', 'bulk-' || at, 'chat', 'Opens ' || at, jsonb_build_object('ownerTeam', 'chat',
      'description', 'Opens ' || at, 'cedar', 'permit (principal, action, resource);'), ${BY}, 'permit'
      FROM generate_series(1, $1::int) AS at`,
  ],
  changes: [
    `INSERT INTO change (number, title, reason, state, author_id, author_name, created_at, updated_at, content_hash)
      SELECT 100000 + at, 'Change ' || at, 'For the list.', 'draft', 'ana', 'Ana Ruiz',
      timestamptz '2026-11-30 11:00Z', timestamptz '2026-11-30 11:00Z' + at * interval '1 ms', 'none'
      FROM generate_series(1, $1::int) AS at`,
    `INSERT INTO change_edit (change_number, kind, name, document, base_revision, version, updated_at, updated_by_id,
      updated_by_name, writers) SELECT 100000 + at, 'objectType', 'Draft' || at, jsonb_build_object('ownerTeam', 'chat'), 0, 1,
      timestamptz '2026-11-30 11:00Z', 'ana', 'Ana Ruiz', ARRAY['ana'] FROM generate_series(1, $1::int) AS at`,
    `INSERT INTO review (id, change_number, reviewer_id, reviewer_name, verdict, comment, at, self, content_hash,
      effect_hash, covers) SELECT 'bulk-' || at, 100000 + at, 'ben', 'Ben', 'approve', 'Good.',
      timestamptz '2026-11-30 11:00Z', false, 'none', 'none', ARRAY[]::text[] FROM generate_series(1, $1::int) AS at`,
  ],
  releases: [
    `INSERT INTO release (number, epoch, sha256, created_at, by_id, by_name, cause, reason, format_version,
      min_gateway_version, signing_key_id, header) SELECT 100000 + at, 1, encode(sha256(at::text::bytea), 'hex'),
      timestamptz '2026-11-30 11:00Z' + at * interval '1 ms', 'ana', 'Ana Ruiz', 'A change', 'For the list.', 1, '0.1.0',
      'test', '{}'::jsonb FROM generate_series(1, $1::int) AS at`,
  ],
  auditRows: [
    `INSERT INTO audit_event (at, source, actor, actor_kind, did, what, outcome, request_id, phase, stream, seq, tenant)
      SELECT timestamptz '2026-11-30 11:00Z' + at * interval '1 ms', 'gateway', 'chat-api', 'service', 'wrote', 'Message ' || at,
      'done', 'bulk-' || at, 'intent', 'bulk', at, 'chat' FROM generate_series(1, $1::int) AS at`,
  ],
  gateways: [
    `INSERT INTO gateway (name, version, url, started_at, last_heard_at, workers, audit_backlog, store_reachable,
      store_message) SELECT 'bulk-' || at, '0.2.0', 'http://127.0.0.1:4000', timestamptz '2026-11-30 11:00Z',
      timestamptz '2026-11-30 12:00Z', '[]'::jsonb, 0, true, 'answers' FROM generate_series(1, $1::int) AS at`,
    `INSERT INTO gateway_ack (gateway, epoch, number, sha256, state, at, version) SELECT 'bulk-' || at, 1,
      (SELECT max(number) FROM release), 'none', 'live', timestamptz '2026-11-30 12:00Z', '0.2.0'
      FROM generate_series(1, $1::int) AS at`,
  ],
};

/** Fills the tables that lists read, in bulk, as publishing and gateways would leave them; then refreshes statistics. */
export async function addBulkRows(db: Database, size: BulkSize): Promise<void> {
  for (const [what, statements] of Object.entries(STATEMENTS)) {
    for (const statement of statements) await db.$executeRawUnsafe(statement, size[what as keyof BulkSize]);
  }
  await db.$executeRawUnsafe('ANALYZE');
}
