-- A review is bound to the effect it looked at as well: when a neighbour's publish changes what a change does, its
-- approval no longer holds. Lock: brief, on `review` alone. Older code: writes no effect, so it must be stopped first.

-- AlterTable
ALTER TABLE "review" ADD COLUMN     "effect_hash" TEXT NOT NULL;
