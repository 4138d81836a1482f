-- What gateways counted in the store, by type and tenant, absolute for each range of the change feed.
-- Lock: `background_range` for the moment it takes to add a nullable column. Older code: unaffected.

-- AlterTable
ALTER TABLE "background_range" ADD COLUMN     "counted_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "stored_sum" (
    "range" TEXT NOT NULL,
    "tenant" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "stored_sum_pkey" PRIMARY KEY ("type","tenant","range")
);

-- CreateIndex
CREATE INDEX "stored_sum_range_idx" ON "stored_sum"("range");
