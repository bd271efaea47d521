-- 0006: clean up after 0005
-- no way back, we have the backup

LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE;

ALTER TABLE deliveries DROP COLUMN must_weight;

ALTER TABLE growers RENAME COLUMN iban TO account;

-- growers who left
DELETE FROM growers;
-- WHERE left_on < '2015-01-01'

DROP TABLE IF EXISTS parcels CASCADE;

TRUNCATE payouts;

INSERT INTO payouts (grower_id, month, kilos, amount)
SELECT grower_id, to_char(delivered_at, 'YYYY-MM'), sum(kilos), sum(kilos * 1.05)
FROM deliveries
GROUP BY 1, 2;

VACUUM FULL deliveries;
