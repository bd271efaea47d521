-- first tables
CREATE TABLE growers (
    id integer PRIMARY KEY,
    name text NOT NULL,
    iban text,
    phone text,
    joined date,
    left_on date,
    notes text
);

CREATE TABLE parcels (
    id integer PRIMARY KEY,
    grower_id integer REFERENCES growers (id),
    place text NOT NULL,
    hectares numeric(6, 2)
);

CREATE TABLE deliveries (
    id integer PRIMARY KEY,
    grower_id integer,
    parcel_id integer,
    delivered_at timestamp NOT NULL,
    grape text NOT NULL,
    kilos numeric(8, 1),
    must_weight integer
);

CREATE TABLE payouts (
    id integer PRIMARY KEY,
    grower_id integer,
    month text NOT NULL,
    kilos numeric(10, 1),
    amount numeric(10, 2)
);
