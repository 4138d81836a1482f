-- How many operations of requests may have left more of a type: a commit has up to 96, of several types.
-- Lock: `latency_bucket` for the moment it takes to add a nullable column. Older code: unaffected; what it adds to a row
-- that has the column keeps its count of writes as it was, until a newer console adds to it.

-- AlterTable
ALTER TABLE "latency_bucket" ADD COLUMN     "writes" INTEGER;
