-- Refused calls counted by release and by what was asked for, so that a release's page says who is denied because of it
-- without reading the log. Filled from the log here, and from then on with each shipment of a gateway's rows.
-- Lock: none on what exists; it reads `audit_event` once. Older code: unaffected, but rows it takes are not counted.

-- CreateTable
CREATE TABLE "refusal_count" (
    "release" INTEGER NOT NULL,
    "tenant" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "edge_type" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "requests" BIGINT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "request_id" TEXT NOT NULL,

    CONSTRAINT "refusal_count_pkey" PRIMARY KEY ("release","tenant","principal","operation","type","edge_type","code","policy")
);

INSERT INTO "refusal_count"
SELECT e."release", e."tenant", e."actor", e."operation", e."type", coalesce(e."edge_type", ''), e."code", coalesce(e."policy", ''),
       sum(e."count"), min(e."at"), max(e."at"),
       coalesce((array_agg(e."request_id" ORDER BY e."at" DESC) FILTER (WHERE e."count" = 1))[1], max(e."request_id"))
FROM "audit_event" e
JOIN "definition" t ON t."kind" = 'tenant' AND t."name" = e."tenant"
JOIN "definition" o ON o."kind" = 'objectType' AND o."name" = e."type"
LEFT JOIN "definition" d ON d."kind" = 'edgeType' AND d."name" = e."edge_type"
WHERE e."source" = 'gateway' AND e."phase" = 'refusal' AND e."release" IS NOT NULL AND e."key_id" IS NOT NULL
  AND e."code" IN ('forbidden', 'type_deprecated', 'unknown_tenant', 'unknown_type', 'unknown_edge_type')
  AND e."operation" NOT IN ('commit', 'batch')
  AND CASE WHEN e."operation" LIKE 'edge.%' THEN d."name" IS NOT NULL ELSE e."edge_type" IS NULL END
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
