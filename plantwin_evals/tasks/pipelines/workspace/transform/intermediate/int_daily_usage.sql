select
    r.meter_id,
    cast(r.read_at as date) as usage_day,
    sum(r.usage_kwh) as usage_kwh,
    count(*) as readings
from {{ ref('stg_readings') }} as r
group by 1, 2
