-- name: GetSlot :one
SELECT * FROM slots WHERE id = $1;

-- name: ListFree :many
SELECT s.id, s.starts_at, s.court
FROM slots s
LEFT JOIN bookings b ON b.slot_id = s.id AND b.cancelled_at IS NULL
WHERE b.id IS NULL AND s.starts_at BETWEEN $1 AND $2
ORDER BY s.starts_at, s.court;

-- name: Book :one
INSERT INTO bookings (slot_id, member_id, paid)
VALUES ($1, $2, $3)
ON CONFLICT (slot_id) WHERE cancelled_at IS NULL DO NOTHING
RETURNING id;

-- name: Cancel :execrows
UPDATE bookings SET cancelled_at = now() WHERE id = $1 AND cancelled_at IS NULL;
