select
    meter_id,
    read_at,
    usage_kwh,
    quality,
    district
from {{ source('raw', 'readings') }}
where quality in ('A', 'B')
