with source as (

    select * from {{ source('support', 'tickets') }}

),

renamed as (

    select
        id as ticket_id,
        cast(created as timestamp) as created_at,
        cast(closed as timestamp) as closed_at,
        lower(trim(channel)) as channel,
        nullif(agent, '') as agent_id,
        priority::int as priority
    from source
    where not _deleted

)

select * from renamed
