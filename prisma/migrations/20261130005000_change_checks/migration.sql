-- The whole verdict of a change: results of slow checks, rules of a team, overrides of an admin, comments on a field,
-- ticks of a reviewer, and review modes apart for types, access and quotas. Lock: brief, on `team`, `change` and
-- `review` (columns with constant defaults, no rewrite). Older code: unaffected, but it reads one review mode for
-- everything; teams keep theirs for all three kinds.

-- AlterTable
ALTER TABLE "team" ADD COLUMN     "access_mode" TEXT NOT NULL DEFAULT 'second person',
ADD COLUMN     "quota_mode" TEXT NOT NULL DEFAULT 'second person';

-- One mode used to hold for all kinds; what a team had chosen stays chosen.
UPDATE "team" SET "access_mode" = "review_mode", "quota_mode" = "review_mode";

-- AlterTable
ALTER TABLE "change" ADD COLUMN     "publish_when_approved" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "review" ADD COLUMN     "ticked" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "change_check" (
    "change_number" INTEGER NOT NULL,
    "section" TEXT NOT NULL,
    "input_hash" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "progress" INTEGER NOT NULL,
    "parts" INTEGER NOT NULL,
    "summary" TEXT NOT NULL,
    "findings" JSONB NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "change_check_pkey" PRIMARY KEY ("change_number","section")
);

-- CreateTable
CREATE TABLE "team_rule" (
    "team" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "setting" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL,
    "set_by_id" TEXT NOT NULL,
    "set_by_name" TEXT NOT NULL,

    CONSTRAINT "team_rule_pkey" PRIMARY KEY ("team","code")
);

-- CreateTable
CREATE TABLE "finding_override" (
    "change_number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "by_id" TEXT NOT NULL,
    "by_name" TEXT NOT NULL,

    CONSTRAINT "finding_override_pkey" PRIMARY KEY ("change_number","kind","name","code")
);

-- CreateTable
CREATE TABLE "change_comment" (
    "id" TEXT NOT NULL,
    "change_number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "author_id" TEXT NOT NULL,
    "author_name" TEXT NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by_id" TEXT,
    "resolved_by_name" TEXT,

    CONSTRAINT "change_comment_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "change_comment_change_number_at_idx" ON "change_comment"("change_number", "at");

-- AddForeignKey
ALTER TABLE "change_check" ADD CONSTRAINT "change_check_change_number_fkey" FOREIGN KEY ("change_number") REFERENCES "change"("number") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finding_override" ADD CONSTRAINT "finding_override_change_number_fkey" FOREIGN KEY ("change_number") REFERENCES "change"("number") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change_comment" ADD CONSTRAINT "change_comment_change_number_fkey" FOREIGN KEY ("change_number") REFERENCES "change"("number") ON DELETE CASCADE ON UPDATE CASCADE;
