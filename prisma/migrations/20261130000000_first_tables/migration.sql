-- The first tables of the control plane: people, definitions, changes, releases, gateways, audit, telemetry.
-- Lock: none that matters, since every table is new. Older code: there is none.

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "groups" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "roles" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "demo_about" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "team" (
    "name" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "review_mode" TEXT NOT NULL DEFAULT 'second person',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "team_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "membership" (
    "user_id" TEXT NOT NULL,
    "team" TEXT NOT NULL,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("user_id","team")
);

-- CreateTable
CREATE TABLE "role_mapping" (
    "group" TEXT NOT NULL,
    "role" TEXT NOT NULL,

    CONSTRAINT "role_mapping_pkey" PRIMARY KEY ("group","role")
);

-- CreateTable
CREATE TABLE "definition" (
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "owner_team" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "release_number" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "changed_by_id" TEXT NOT NULL,
    "changed_by_name" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "removed" BOOLEAN NOT NULL DEFAULT false,
    "tenant" TEXT,

    CONSTRAINT "definition_pkey" PRIMARY KEY ("kind","name")
);

-- CreateTable
CREATE TABLE "definition_revision" (
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "release_number" INTEGER NOT NULL,
    "change_number" INTEGER,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "author_id" TEXT NOT NULL,
    "author_name" TEXT NOT NULL,
    "approved_by_id" TEXT,
    "approved_by_name" TEXT,
    "self_approved" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT NOT NULL,
    "document" JSONB,

    CONSTRAINT "definition_revision_pkey" PRIMARY KEY ("kind","name","revision")
);

-- CreateTable
CREATE TABLE "change" (
    "number" SERIAL NOT NULL,
    "title" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "link" TEXT,
    "state" TEXT NOT NULL,
    "author_id" TEXT NOT NULL,
    "author_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "submitted_at" TIMESTAMPTZ(3),
    "approved_at" TIMESTAMPTZ(3),
    "published_at" TIMESTAMPTZ(3),
    "abandoned_at" TIMESTAMPTZ(3),
    "content_hash" TEXT NOT NULL,
    "release_number" INTEGER,

    CONSTRAINT "change_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "change_edit" (
    "change_number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "document" JSONB,
    "base" JSONB,
    "base_revision" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_by_id" TEXT NOT NULL,
    "updated_by_name" TEXT NOT NULL,
    "writers" TEXT[],

    CONSTRAINT "change_edit_pkey" PRIMARY KEY ("change_number","kind","name")
);

-- CreateTable
CREATE TABLE "review" (
    "id" TEXT NOT NULL,
    "change_number" INTEGER NOT NULL,
    "reviewer_id" TEXT NOT NULL,
    "reviewer_name" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "comment" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "self" BOOLEAN NOT NULL,
    "content_hash" TEXT NOT NULL,
    "covers" TEXT[],
    "voided_at" TIMESTAMPTZ(3),

    CONSTRAINT "review_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbox_item" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "user_id" TEXT,
    "role" TEXT,
    "team" TEXT,
    "text" TEXT NOT NULL,
    "href" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "closable" BOOLEAN NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "closed_by_id" TEXT,
    "closed_by_name" TEXT,

    CONSTRAINT "inbox_item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "release" (
    "number" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "previous" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "by_id" TEXT NOT NULL,
    "by_name" TEXT NOT NULL,
    "approved_by_id" TEXT,
    "approved_by_name" TEXT,
    "self_approved" BOOLEAN NOT NULL DEFAULT false,
    "cause" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "change_number" INTEGER,
    "emergency" BOOLEAN NOT NULL DEFAULT false,
    "format_version" INTEGER NOT NULL,
    "min_gateway_version" TEXT NOT NULL,
    "signing_key_id" TEXT NOT NULL,
    "header" JSONB NOT NULL,
    "first_live_at" TIMESTAMPTZ(3),
    "all_live_at" TIMESTAMPTZ(3),

    CONSTRAINT "release_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "release_section" (
    "sha256" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "release_section_pkey" PRIMARY KEY ("sha256")
);

-- CreateTable
CREATE TABLE "gateway" (
    "name" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "last_heard_at" TIMESTAMPTZ(3) NOT NULL,
    "serves_epoch" INTEGER,
    "serves_number" INTEGER,
    "workers" JSONB NOT NULL,
    "audit_backlog" INTEGER NOT NULL,
    "store_reachable" BOOLEAN NOT NULL,
    "store_message" TEXT NOT NULL,
    "left_at" TIMESTAMPTZ(3),

    CONSTRAINT "gateway_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "gateway_ack" (
    "gateway" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "first_live_at" TIMESTAMPTZ(3),
    "duration_ms" DOUBLE PRECISION,
    "parse_ms" DOUBLE PRECISION,
    "probes_passed" INTEGER,
    "reason" TEXT,
    "version" TEXT NOT NULL,

    CONSTRAINT "gateway_ack_pkey" PRIMARY KEY ("gateway","epoch","number")
);

-- CreateTable
CREATE TABLE "gateway_report" (
    "gateway" TEXT NOT NULL,
    "bucket_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "gateway_report_pkey" PRIMARY KEY ("bucket_at","gateway")
);

-- CreateTable
CREATE TABLE "principal_key" (
    "id" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "secret_sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by_id" TEXT,
    "revoked_by_name" TEXT,
    "revoke_reason" TEXT,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "principal_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "machine_token" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "secret_sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "machine_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signing_key" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_key_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "audit_event" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "source" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_kind" TEXT NOT NULL,
    "did" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "href" TEXT,
    "because" TEXT,
    "tenant" TEXT,
    "release" INTEGER,
    "request_id" TEXT,
    "outcome" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,
    "before" JSONB,
    "after" JSONB,
    "kind" TEXT,
    "name" TEXT,
    "stream" TEXT,
    "seq" INTEGER,
    "phase" TEXT,
    "key_id" TEXT,
    "operation" TEXT,
    "type" TEXT,
    "object_id" TEXT,
    "edge_type" TEXT,
    "to_id" TEXT,
    "code" TEXT,
    "status" INTEGER,
    "policy" TEXT,
    "version" TEXT,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_stream" (
    "stream" TEXT NOT NULL,
    "gateway" TEXT NOT NULL,
    "next_seq" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_stream_pkey" PRIMARY KEY ("stream")
);

-- CreateTable
CREATE TABLE "latency_bucket" (
    "scope" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "width_seconds" INTEGER NOT NULL,
    "bucket_at" TIMESTAMPTZ(3) NOT NULL,
    "gateway" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "histogram" JSONB NOT NULL,
    "count" INTEGER NOT NULL,
    "max_us" INTEGER NOT NULL,
    "sum_us" DOUBLE PRECISION NOT NULL,
    "ru" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "latency_bucket_pkey" PRIMARY KEY ("scope","name","width_seconds","bucket_at","gateway","operation","outcome")
);

-- CreateTable
CREATE TABLE "principal_use" (
    "bucket_at" TIMESTAMPTZ(3) NOT NULL,
    "gateway" TEXT NOT NULL,
    "tenant" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "requests" INTEGER NOT NULL,
    "ru" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "principal_use_pkey" PRIMARY KEY ("bucket_at","gateway","tenant","principal","type")
);

-- CreateTable
CREATE TABLE "telemetry_shipment" (
    "gateway" TEXT NOT NULL,
    "boot" TEXT NOT NULL,
    "last_seq" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "telemetry_shipment_pkey" PRIMARY KEY ("gateway","boot")
);

-- CreateTable
CREATE TABLE "request_record" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "gateway" TEXT NOT NULL,
    "worker" INTEGER NOT NULL,
    "release" INTEGER,
    "tenant" TEXT,
    "principal" TEXT,
    "actor_kind" TEXT,
    "key_id" TEXT,
    "operation" TEXT,
    "type" TEXT,
    "object_id" TEXT,
    "edge_type" TEXT,
    "status" INTEGER NOT NULL,
    "code" TEXT,
    "message" TEXT,
    "outcome" TEXT NOT NULL,
    "policy" TEXT,
    "duration_us" INTEGER NOT NULL,
    "ru" DOUBLE PRECISION NOT NULL,
    "stages" JSONB NOT NULL,
    "quota" JSONB,
    "attempts" JSONB NOT NULL,

    CONSTRAINT "request_record_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "setting" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "users_name_id_idx" ON "users"("name", "id");

-- CreateIndex
CREATE UNIQUE INDEX "users_issuer_subject_key" ON "users"("issuer", "subject");

-- CreateIndex
CREATE INDEX "membership_team_idx" ON "membership"("team");

-- CreateIndex
CREATE INDEX "definition_kind_removed_name_idx" ON "definition"("kind", "removed", "name");

-- CreateIndex
CREATE INDEX "definition_owner_team_kind_name_idx" ON "definition"("owner_team", "kind", "name");

-- CreateIndex
CREATE INDEX "definition_tenant_kind_name_idx" ON "definition"("tenant", "kind", "name");

-- CreateIndex
CREATE INDEX "definition_revision_release_number_idx" ON "definition_revision"("release_number");

-- CreateIndex
CREATE UNIQUE INDEX "change_release_number_key" ON "change"("release_number");

-- CreateIndex
CREATE INDEX "change_state_updated_at_number_idx" ON "change"("state", "updated_at" DESC, "number" DESC);

-- CreateIndex
CREATE INDEX "change_author_id_state_idx" ON "change"("author_id", "state");

-- CreateIndex
CREATE INDEX "change_updated_at_number_idx" ON "change"("updated_at" DESC, "number" DESC);

-- CreateIndex
CREATE INDEX "change_edit_kind_name_idx" ON "change_edit"("kind", "name");

-- CreateIndex
CREATE INDEX "review_change_number_at_idx" ON "review"("change_number", "at");

-- CreateIndex
CREATE INDEX "inbox_item_closed_at_at_idx" ON "inbox_item"("closed_at", "at" DESC);

-- CreateIndex
CREATE INDEX "inbox_item_subject_idx" ON "inbox_item"("subject");

-- CreateIndex
CREATE UNIQUE INDEX "release_sha256_key" ON "release"("sha256");

-- CreateIndex
CREATE INDEX "release_created_at_idx" ON "release"("created_at");

-- CreateIndex
CREATE INDEX "gateway_last_heard_at_idx" ON "gateway"("last_heard_at");

-- CreateIndex
CREATE INDEX "gateway_ack_number_gateway_idx" ON "gateway_ack"("number", "gateway");

-- CreateIndex
CREATE INDEX "principal_key_principal_created_at_idx" ON "principal_key"("principal", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "machine_token_secret_sha256_key" ON "machine_token"("secret_sha256");

-- CreateIndex
CREATE INDEX "audit_event_at_id_idx" ON "audit_event"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_source_at_id_idx" ON "audit_event"("source", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_tenant_at_id_idx" ON "audit_event"("tenant", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_actor_at_id_idx" ON "audit_event"("actor", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_phase_at_id_idx" ON "audit_event"("phase", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_event_request_id_idx" ON "audit_event"("request_id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_event_stream_seq_key" ON "audit_event"("stream", "seq");

-- CreateIndex
CREATE INDEX "latency_bucket_scope_width_seconds_bucket_at_idx" ON "latency_bucket"("scope", "width_seconds", "bucket_at");

-- CreateIndex
CREATE INDEX "latency_bucket_width_seconds_bucket_at_idx" ON "latency_bucket"("width_seconds", "bucket_at");

-- CreateIndex
CREATE INDEX "principal_use_principal_bucket_at_idx" ON "principal_use"("principal", "bucket_at");

-- CreateIndex
CREATE INDEX "principal_use_type_bucket_at_idx" ON "principal_use"("type", "bucket_at");

-- CreateIndex
CREATE INDEX "request_record_at_id_idx" ON "request_record"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "request_record_tenant_at_id_idx" ON "request_record"("tenant", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "request_record_type_at_idx" ON "request_record"("type", "at" DESC);

-- CreateIndex
CREATE INDEX "request_record_edge_type_at_idx" ON "request_record"("edge_type", "at" DESC);

-- CreateIndex
CREATE INDEX "request_record_principal_at_idx" ON "request_record"("principal", "at" DESC);

-- CreateIndex
CREATE INDEX "request_record_key_id_at_idx" ON "request_record"("key_id", "at" DESC);

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_team_fkey" FOREIGN KEY ("team") REFERENCES "team"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change_edit" ADD CONSTRAINT "change_edit_change_number_fkey" FOREIGN KEY ("change_number") REFERENCES "change"("number") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review" ADD CONSTRAINT "review_change_number_fkey" FOREIGN KEY ("change_number") REFERENCES "change"("number") ON DELETE CASCADE ON UPDATE CASCADE;
