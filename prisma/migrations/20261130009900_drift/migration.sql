-- What gateways found not to agree of an object, beside the other entries of their background work.
-- Lock: `background_entry` for the moment it takes to add a nullable column. Older code: unaffected; it lists the new
-- kind of entry among those that are parked.

-- AlterTable
ALTER TABLE "background_entry" ADD COLUMN     "drift" JSONB;
