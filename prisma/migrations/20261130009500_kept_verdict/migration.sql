-- What all checks said of a change when it was published, so that its page goes on saying that and not what they would say
-- of definitions that have moved on since. Lock: brief, on `change` (a nullable column without a default, no rewrite).
-- Older code: unaffected; a change published before has no verdict, and its page says so.

-- AlterTable
ALTER TABLE "change" ADD COLUMN     "verdict" JSONB;
