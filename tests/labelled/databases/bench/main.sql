\set practitioner random(1, 40)
\set patient random(1, 100000)
\set offset random(1, 20000)
-- pgbench -f main.sql -c 16 -j 4 -T 120 --no-vacuum clinic_bench
BEGIN;
SELECT count(*) FROM visits WHERE practitioner_id = :practitioner AND starts_at::date = current_date;
INSERT INTO visits (patient_id, practitioner_id, starts_at, minutes)
VALUES (:patient, :practitioner, now() + make_interval(mins => :offset), 20)
ON CONFLICT DO NOTHING;
SELECT visit_id FROM visits WHERE patient_id = :patient ORDER BY starts_at DESC LIMIT 5;
END;
