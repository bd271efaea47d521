CREATE TYPE quality AS ENUM ('measured', 'estimated', 'missing');

CREATE TABLE meter (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    serial      text NOT NULL UNIQUE,
    point_code  char(18) NOT NULL,
    installed   date NOT NULL,
    removed     date,
    CHECK (removed IS NULL OR removed > installed)
);

CREATE TABLE reading (
    meter_id  bigint NOT NULL REFERENCES meter (id),
    at        timestamptz NOT NULL,
    wh        bigint NOT NULL CHECK (wh >= 0),
    q         quality NOT NULL DEFAULT 'measured',
    PRIMARY KEY (meter_id, at)
) PARTITION BY RANGE (at);

CREATE TABLE reading_2024h1 PARTITION OF reading FOR VALUES FROM ('2024-01-01') TO ('2024-07-01');
CREATE TABLE reading_2024h2 PARTITION OF reading FOR VALUES FROM ('2024-07-01') TO ('2025-01-01');

CREATE INDEX reading_at_brin ON reading USING brin (at);
COMMENT ON COLUMN meter.point_code IS 'metering point, 18 digits';
