{{
    config(
        materialized='incremental',
        unique_key=['team_code', 'work_day'],
        on_schema_change='append_new_columns'
    )
}}

select
    team_code,
    date_trunc('day', created_at) as work_day,
    count(*) as tickets_opened,
    count(closed_at) as tickets_closed,
    avg(minutes_open) as avg_minutes_open,
    percentile_cont(0.9) within group (order by minutes_open) as p90_minutes_open
from {{ ref('int_tickets_with_agents') }}
{% if is_incremental() %}
where created_at >= (select max(work_day) - interval '3 days' from {{ this }})
{% endif %}
group by 1, 2
