-- What gateways tell of their background work: ranges of the change feed, and outbox entries that wait or are parked.
-- Lock: none on existing tables. Older code: unaffected.

-- CreateTable
CREATE TABLE "background_range" (
    "range" TEXT NOT NULL,
    "gateway" TEXT NOT NULL,
    "term" INTEGER NOT NULL,
    "lag_ms" BIGINT,
    "repaired" INTEGER NOT NULL,
    "problem" TEXT,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "background_range_pkey" PRIMARY KEY ("range")
);

-- CreateTable
CREATE TABLE "background_entry" (
    "id" TEXT NOT NULL,
    "pk" TEXT NOT NULL,
    "range" TEXT NOT NULL,
    "term" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "tenant" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "edge_type" TEXT,
    "inverse" TEXT,
    "to_id" TEXT,
    "items" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "reason_code" TEXT,
    "reason" TEXT,
    "parked_at" TIMESTAMPTZ(3),
    "again_at" TIMESTAMPTZ(3),

    CONSTRAINT "background_entry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "background_entry_at_id_idx" ON "background_entry"("at", "id");

-- CreateIndex
CREATE INDEX "background_entry_range_again_at_idx" ON "background_entry"("range", "again_at");
