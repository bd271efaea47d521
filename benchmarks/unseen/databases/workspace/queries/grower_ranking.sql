-- The best ten growers by must weight, for the harvest feast.
SELECT
    g.name,
    avg(d.must_weight) AS must_weight,
    count(*) AS loads
FROM growers g
JOIN deliveries d ON d.grower_id = g.id
WHERE d.delivered_at >= date('now', 'start of year')
   OR d.must_weight > 95
GROUP BY g.name
HAVING count(*) > 3
ORDER BY avg(d.must_weight) DESC
LIMIT 10 OFFSET 0;

-- the same for each place
SELECT p.place, g.name, max(d.must_weight)
FROM deliveries d
JOIN parcels p ON p.id = d.parcel_id
JOIN growers g ON g.id = d.grower_id
GROUP BY p.place
ORDER BY random();
