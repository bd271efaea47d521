CREATE TABLE customers (
    id            SERIAL PRIMARY KEY,
    full_name     TEXT NOT NULL,
    email         TEXT NOT NULL UNIQUE,
    phone         TEXT,
    client        TEXT,
    password_hash TEXT,
    legacy_hash   CHAR(32)
);

CREATE TABLE orders (
    id          SERIAL PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    placed_on   DATE NOT NULL DEFAULT current_date,
    total       NUMERIC(10, 2) NOT NULL,
    status      TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'refunded'))
);

CREATE INDEX orders_by_customer ON orders (customer_id, status);
