-- Litres per farm and day, and per cow.
-- Version 2: one statement instead of a loop.

SELECT
    c.farm_id,
    c.day,
    SUM(c.litres) AS litres,
    AVG(c.fat_pct) AS fat_pct,
    c.grade,
    SUM(c.litres) / (
        SELECT f.cows
        FROM farms f
        WHERE LOWER(TRIM(f.farm_id)) = LOWER(TRIM(c.farm_id))
    ) AS per_cow
FROM collections c, farms
WHERE substr(c.day, 1, 7) = strftime('%Y-%m', 'now')
  AND c.farm_id NOT IN (SELECT farm_id FROM closed_farms)
  OR c.grade = 'A'
GROUP BY c.farm_id, c.day
ORDER BY c.day, c.farm_id;
