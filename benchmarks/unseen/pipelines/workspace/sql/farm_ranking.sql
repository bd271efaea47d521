-- The ten best farms, for the report to the board.
-- Version 2: the places are computed in the query, no longer in Python.
-- Runs every night after daily_yield; the table has a row per farm and day since
-- 2011.

SELECT *
FROM (
    SELECT DISTINCT
        y.*,
        f.*,
        (SELECT COUNT(*)
         FROM daily_yield y2
         WHERE y2.per_cow > y.per_cow) + 1 AS place
    FROM daily_yield y
    LEFT JOIN farms f ON f.farm_id = y.farm_id
    WHERE f.name LIKE '%farm%'
       OR UPPER(f.name) LIKE '%HOLDING%'
) ranked
WHERE ranked.place <= 10
ORDER BY RANDOM();
