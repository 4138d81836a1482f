-- The spine of a release ends with the first request under it, which is looked up by release.
-- Lock: `request_record` is not written while the index is built. Older code: unaffected.

-- CreateIndex
CREATE INDEX "request_record_release_at_idx" ON "request_record"("release", "at");
