-- weekly question of the city: how many trips start within 300 m of a tram stop?
DECLARE since DATE DEFAULT DATE_SUB(CURRENT_DATE('Europe/Madrid'), INTERVAL 7 DAY);

WITH near AS (
  SELECT t.trip_id, t.bike_id, t.started_at,
         MIN(ST_DISTANCE(t.start_geo, s.geo)) AS m
  FROM `mobility.bikes.trips` t
  JOIN `mobility.tram.stops` s ON ST_DWITHIN(t.start_geo, s.geo, 300)
  WHERE DATE(t.started_at) >= since
  GROUP BY 1, 2, 3
)
SELECT DATE_TRUNC(DATE(started_at), DAY) AS day,
       COUNT(*) AS trips,
       COUNT(DISTINCT bike_id) AS bikes,
       APPROX_QUANTILES(m, 100)[OFFSET(50)] AS median_m
FROM near
GROUP BY day
QUALIFY ROW_NUMBER() OVER (ORDER BY day DESC) <= 7
ORDER BY day;
