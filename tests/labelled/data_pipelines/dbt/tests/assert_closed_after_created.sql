-- Fails when a ticket was closed before it was opened.
select
    ticket_id,
    created_at,
    closed_at
from {{ ref('stg_tickets') }}
where closed_at is not null
  and closed_at < created_at
