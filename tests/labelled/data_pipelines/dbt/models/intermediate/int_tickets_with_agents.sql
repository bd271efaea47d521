with tickets as (
    select * from {{ ref('stg_tickets') }}
),

agents as (
    select * from {{ ref('stg_agents') }}
),

joined as (
    select
        tickets.ticket_id,
        tickets.channel,
        tickets.priority,
        tickets.created_at,
        tickets.closed_at,
        agents.team_code,
        {{ minutes_between('tickets.created_at', 'tickets.closed_at') }} as minutes_open
    from tickets
    left join agents
        on tickets.agent_id = agents.agent_id
        and tickets.created_at between agents.hired_on and agents.left_on
)

select * from joined
