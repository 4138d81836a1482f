-- Rollback, stages and the queue behind them: what a change or release undid and was undone by, the stages of a rollout,
-- and the publishes that wait for it.
-- Lock: `change` and `release` for the moment it takes to add nullable columns. Older code: unaffected; it would hand the
-- newest release to every gateway, as before.

-- AlterTable
ALTER TABLE "change" ADD COLUMN     "again_of" INTEGER,
ADD COLUMN     "emergency" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "rollback" JSONB,
ADD COLUMN     "undone_at" TIMESTAMPTZ(3),
ADD COLUMN     "undone_by" INTEGER;

-- AlterTable
ALTER TABLE "release" ADD COLUMN     "rollback" JSONB,
ADD COLUMN     "undone_by" INTEGER;

-- CreateTable
CREATE TABLE "rollout" (
    "release_number" INTEGER NOT NULL,
    "base_number" INTEGER NOT NULL,
    "stages" JSONB NOT NULL,
    "stage" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "promotes" TEXT NOT NULL,
    "after_seconds" INTEGER NOT NULL,
    "narrows" BOOLEAN NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "stage_at" TIMESTAMPTZ(3) NOT NULL,
    "stage_live_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "halt_reason" TEXT,
    "turns" JSONB NOT NULL,

    CONSTRAINT "rollout_pkey" PRIMARY KEY ("release_number")
);

-- CreateTable
CREATE TABLE "queued_publish" (
    "id" SERIAL NOT NULL,
    "change_number" INTEGER,
    "content_hash" TEXT,
    "cause" TEXT NOT NULL,
    "by_id" TEXT NOT NULL,
    "by_name" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "queued_publish_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "rollout_ended_at_idx" ON "rollout"("ended_at");

-- CreateIndex
CREATE UNIQUE INDEX "queued_publish_change_number_key" ON "queued_publish"("change_number");
