-- What caches of gateways answered: counted with each span of time, and told of each kept request.
-- Lock: both tables for the moment it takes to add a column (nullable, or with a constant default: no rewrite).
-- Older code: unaffected; it leaves the columns at their defaults.

-- AlterTable
ALTER TABLE "latency_bucket" ADD COLUMN     "cache_hits" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "cache_misses" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "request_record" ADD COLUMN     "cache" TEXT;
