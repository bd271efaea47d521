select
    district,
    date_trunc('hour', read_at) as hour,
    sum(usage_kwh) as load_kwh
from {{ ref('stg_readings') }}
group by district, date_trunc('hour', read_at)
