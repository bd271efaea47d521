with source as (

    select * from {{ source('brewlog', 'BATCH') }}

)

select
    batch_no::integer                         as batch_id,
    nullif(trim(recipe_cd), '')               as recipe_code,
    upper(vessel)                             as vessel,
    to_timestamp(start_unix)                  as started_at,
    case when end_unix > 0 then to_timestamp(end_unix) end as ended_at,
    og_x1000 / 1000.0                         as original_gravity,
    fg_x1000 / 1000.0                         as final_gravity,
    _fivetran_synced                          as loaded_at
from source
where not coalesce(_fivetran_deleted, false)
