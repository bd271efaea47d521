-- What each grower gets for a month.
-- :month is like '2025-09'
SELECT
    g.id,
    g.name,
    g.iban,
    sum(d.kilos) AS kilos,
    sum(
        d.kilos * CASE
            WHEN d.must_weight >= 85 THEN 1.42
            WHEN d.must_weight >= 70 THEN 1.10
            ELSE 0.78
        END
    ) AS amount
FROM growers g
LEFT JOIN deliveries d ON d.grower_id = g.id
LEFT JOIN parcels p ON p.grower_id = g.id
WHERE strftime('%Y-%m', d.delivered_at) = :month
GROUP BY g.id, g.name, g.iban
ORDER BY g.name;

-- note: growers with several parcels look too high in this one? (Ruprecht, 2023)
