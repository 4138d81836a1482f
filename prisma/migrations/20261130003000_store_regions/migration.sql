-- A heartbeat tells each region of the store: its breaker, connections and attempts. The newest one is kept and shown.
-- Lock: `gateway` exclusively for a moment; the default is no rewrite. Older code: unaffected, it leaves the default.

-- AlterTable
ALTER TABLE "gateway" ADD COLUMN     "store_regions" JSONB NOT NULL DEFAULT '[]';
