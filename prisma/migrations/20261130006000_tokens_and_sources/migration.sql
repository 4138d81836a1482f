-- Tokens for the console's API, replies kept by idempotency key, and definitions kept in a repository by `habitat apply`.
-- Lock: `change` and `audit_event` for the moment it takes to add nullable columns; `change` is not written while its
-- index is built. Older code: unaffected.

-- AlterTable
ALTER TABLE "change" ADD COLUMN     "source" TEXT;

-- AlterTable
ALTER TABLE "audit_event" ADD COLUMN     "token" TEXT;

-- CreateTable
CREATE TABLE "api_token" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "team" TEXT,
    "scopes" TEXT[],
    "secret_sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by_id" TEXT,
    "revoked_by_name" TEXT,
    "revoke_reason" TEXT,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotent_reply" (
    "actor_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "body_sha256" TEXT NOT NULL,
    "status" INTEGER,
    "reply" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_reply_pkey" PRIMARY KEY ("actor_id","key")
);

-- CreateTable
CREATE TABLE "managed_definition" (
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "published_sha256" TEXT,
    "applied_sha256" TEXT NOT NULL,
    "applied_at" TIMESTAMPTZ(3) NOT NULL,
    "applied_by_id" TEXT NOT NULL,
    "applied_by_name" TEXT NOT NULL,

    CONSTRAINT "managed_definition_pkey" PRIMARY KEY ("kind","name")
);

-- CreateIndex
CREATE INDEX "change_source_state_idx" ON "change"("source", "state");

-- CreateIndex
CREATE INDEX "api_token_created_by_id_created_at_idx" ON "api_token"("created_by_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "api_token_team_created_at_idx" ON "api_token"("team", "created_at" DESC);

-- CreateIndex
CREATE INDEX "idempotent_reply_created_at_idx" ON "idempotent_reply"("created_at");

-- CreateIndex
CREATE INDEX "managed_definition_source_idx" ON "managed_definition"("source");
