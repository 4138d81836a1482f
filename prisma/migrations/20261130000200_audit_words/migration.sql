-- What an audit row can be found by, so that any filter over a million rows starts from an index: names as they are
-- (`type=message`) and every word of what people read. Filled by a trigger, since rows come from several writers.
-- Lock: access exclusive on audit_event for the time of adding an empty column; building the index on a filled table
-- holds off writers, but this table is new. Older code: keeps working, the trigger fills the column for it.

ALTER TABLE "audit_event" ADD COLUMN "words" tsvector;

CREATE FUNCTION habitat_audit_words(row_ audit_event) RETURNS tsvector
LANGUAGE sql STABLE AS $$
  SELECT array_to_tsvector(coalesce(array_agg(DISTINCT lexeme), '{}'))
  FROM (
    SELECT lower(left(field || '=' || value, 400)) AS lexeme
    FROM (VALUES
      ('source', row_.source), ('actor', row_.actor), ('kind', row_.actor_kind), ('did', row_.did),
      ('type', row_.type), ('type', row_.edge_type),
      ('type', CASE WHEN row_.kind IN ('objectType', 'edgeType') THEN row_.name END),
      ('tenant', row_.tenant), ('tenant', CASE WHEN row_.kind = 'tenant' THEN row_.name END),
      ('policy', row_.policy), ('policy', CASE WHEN row_.kind = 'policy' THEN row_.name END),
      ('release', row_.release::text), ('request', row_.request_id)
    ) AS fields(field, value)
    WHERE value <> ''
    UNION ALL
    SELECT lower(left(word, 400))
    FROM regexp_split_to_table(
      concat_ws(' ', row_.actor, row_.did, row_.what, row_.name, row_.type, row_.edge_type, row_.object_id, row_.to_id,
                row_.tenant, row_.policy, row_.code, row_.key_id, row_.request_id),
      '\s+') AS word
    WHERE word <> ''
  ) AS lexemes
$$;

CREATE FUNCTION habitat_fill_audit_words() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.words := habitat_audit_words(NEW);
  RETURN NEW;
END
$$;

CREATE TRIGGER audit_event_words BEFORE INSERT ON "audit_event"
FOR EACH ROW EXECUTE FUNCTION habitat_fill_audit_words();

UPDATE "audit_event" AS e SET words = habitat_audit_words(e);

-- Partial, because Prisma's schema cannot describe it and leaves partial indexes alone. `words @@ …` implies the rest.
CREATE INDEX "audit_event_words_idx" ON "audit_event" USING gin (words) WHERE words IS NOT NULL;
