-- The month-end report for the board.
SELECT *
FROM deliveries d, growers g, parcels p
WHERE upper(g.name) LIKE '%' || upper(:part) || '%'
  AND CAST(d.grower_id AS text) = CAST(g.id AS text)
  AND d.delivered_at LIKE :month || '%'
ORDER BY d.delivered_at;

-- how much each grape brought
SELECT DISTINCT
    d.grape,
    (SELECT sum(d2.kilos) FROM deliveries d2 WHERE d2.grape = d.grape) AS kilos,
    (SELECT avg(d3.must_weight) FROM deliveries d3 WHERE d3.grape = d.grape) AS must_weight,
    (SELECT count(*) FROM deliveries d4 WHERE d4.grape = d.grape) AS loads
FROM deliveries d
ORDER BY 2 DESC;

-- growers without a delivery
SELECT name
FROM growers
WHERE id NOT IN (SELECT grower_id FROM deliveries);
