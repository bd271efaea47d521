BEGIN;
ALTER TABLE vouchers ADD COLUMN partner VARCHAR(8);
ALTER TABLE vouchers ADD COLUMN minimum_cents INTEGER NOT NULL;
ALTER TABLE points_entries ALTER COLUMN points TYPE BIGINT;
CREATE INDEX points_entries_order_idx ON points_entries (order_id);
UPDATE points_entries SET booked_on = booked_on - INTERVAL '12 months';
ALTER TABLE members DROP COLUMN export_consent;
COMMIT;
