-- Audit rows can be found by the token that their actor came with: `token:release-bot` in the filter line, and its name as
-- a word. Lock: row locks on the rows that name a token, for the time of the update. Older code: unaffected.

CREATE OR REPLACE FUNCTION habitat_audit_words(row_ audit_event) RETURNS tsvector
LANGUAGE sql STABLE AS $$
  SELECT array_to_tsvector(coalesce(array_agg(DISTINCT lexeme), '{}'))
  FROM (
    SELECT lower(left(field || '=' || value, 400)) AS lexeme
    FROM (VALUES
      ('source', row_.source), ('actor', row_.actor), ('kind', row_.actor_kind), ('did', row_.did),
      ('token', row_.token),
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
                row_.tenant, row_.policy, row_.code, row_.key_id, row_.request_id, row_.token),
      '\s+') AS word
    WHERE word <> ''
  ) AS lexemes
$$;

UPDATE "audit_event" AS e SET words = habitat_audit_words(e) WHERE e.token IS NOT NULL;
