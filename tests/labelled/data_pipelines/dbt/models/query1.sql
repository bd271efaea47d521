{{ config(materialized='table', tags=['board_report']) }}

with monthly as (
    select
        date_trunc('month', work_day) as month,
        team_code,
        sum(tickets_closed) as closed,
        sum(tickets_opened) as opened
    from {{ ref('fct_team_workload') }}
    group by 1, 2
)

select
    monthly.month,
    teams.team_name,
    monthly.closed,
    monthly.opened - monthly.closed as backlog_change
from monthly
join {{ ref('team_names') }} as teams using (team_code)
order by month desc, team_name
