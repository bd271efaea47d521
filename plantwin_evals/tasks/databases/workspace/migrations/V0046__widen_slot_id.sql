ALTER TABLE appointments ALTER COLUMN slot_id TYPE bigint;
ALTER TABLE visits ALTER COLUMN fee_eur TYPE real;
