-- 0005: quality gets columns of its own
-- author: gate team, to be run together with 0006

ALTER TABLE deliveries ADD COLUMN oechsle numeric(4, 1) NOT NULL;
ALTER TABLE deliveries ADD COLUMN grade char(1) NOT NULL DEFAULT 'C';

UPDATE deliveries SET oechsle = must_weight;

UPDATE deliveries SET grade = 'A' WHERE must_weight >= 85;
UPDATE deliveries SET grade = 'B' WHERE must_weight >= 70;

CREATE INDEX deliveries_grade ON deliveries (grade);
CREATE INDEX deliveries_grower ON deliveries (grower_id);

ALTER TABLE deliveries ALTER COLUMN kilos TYPE integer;

ALTER TABLE payouts ADD CONSTRAINT payouts_once UNIQUE (grower_id, month);

ALTER TABLE deliveries
    ADD CONSTRAINT deliveries_grower_fk
    FOREIGN KEY (grower_id) REFERENCES growers (id);
