CREATE TABLE families (
    id BIGSERIAL PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES members (id),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
ALTER TABLE members ADD COLUMN family_id BIGINT;
CREATE INDEX CONCURRENTLY members_family_idx ON members (family_id);
