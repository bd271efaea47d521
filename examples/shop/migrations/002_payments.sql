CREATE TABLE payments (
    id        SERIAL PRIMARY KEY,
    order_id  INTEGER NOT NULL REFERENCES orders (id),
    amount    NUMERIC(10, 2) NOT NULL,
    reference TEXT NOT NULL,
    paid_on   DATE NOT NULL DEFAULT current_date
);

ALTER TABLE customers ADD COLUMN card_last_four CHAR(4);

UPDATE orders SET status = 'open' WHERE status = 'paid' AND id NOT IN (SELECT order_id FROM payments);
