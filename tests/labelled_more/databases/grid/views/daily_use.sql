CREATE MATERIALIZED VIEW IF NOT EXISTS daily_use AS
SELECT r.meter_id,
       date_trunc('day', r.at AT TIME ZONE 'Europe/Oslo')::date AS day,
       sum(r.wh) / 1000.0 AS kwh,
       count(*) FILTER (WHERE r.q <> 'measured') AS guessed
FROM reading r
GROUP BY 1, 2
WITH NO DATA;

CREATE UNIQUE INDEX IF NOT EXISTS daily_use_pk ON daily_use (meter_id, day);

CREATE OR REPLACE VIEW daily_use_open AS
SELECT d.* FROM daily_use d JOIN meter m ON m.id = d.meter_id WHERE m.removed IS NULL;
