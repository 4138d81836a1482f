-- How much the largest object of a type takes with its edges: one logical partition of Cosmos ends at 20 GB.
-- Lock: `stored_sum` for the moment it takes to add a nullable column. Older code: unaffected.

-- AlterTable
ALTER TABLE "stored_sum" ADD COLUMN     "largest_bytes" BIGINT;
