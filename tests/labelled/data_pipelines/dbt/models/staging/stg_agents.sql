{{ config(materialized='view') }}

select
    agent_no as agent_id,
    team_code,
    hired as hired_on,
    coalesce(left_on, date '9999-12-31') as left_on
from {{ source('hr', 'agents') }}
qualify row_number() over (partition by agent_no order by _loaded_at desc) = 1
