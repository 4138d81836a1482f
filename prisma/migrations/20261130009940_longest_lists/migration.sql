-- How many edges of a type the object with most of them has: how near its wall the fullest list is.
-- Lock: `stored_sum` for the moment it takes to add a nullable column. Older code: unaffected.

-- AlterTable
ALTER TABLE "stored_sum" ADD COLUMN     "longest_list" INTEGER;
