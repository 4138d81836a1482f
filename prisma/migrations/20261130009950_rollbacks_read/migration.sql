-- Who has read of which rollback: every page tells of a rollback until its definitions change again or the person says so.
-- The partial index finds the rollbacks among all releases, since every page asks for them.
-- Lock: `release` for the moment it takes to index the rollbacks. Older code: unaffected.

-- CreateTable
CREATE TABLE "rollback_read" (
    "release_number" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rollback_read_pkey" PRIMARY KEY ("release_number","user_id")
);

-- Prisma's schema cannot name a partial index; it leaves one alone.
CREATE INDEX "release_rollback_idx" ON "release" ("number") WHERE "rollback" IS NOT NULL;
