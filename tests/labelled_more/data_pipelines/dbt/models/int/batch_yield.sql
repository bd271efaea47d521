{{ config(materialized='ephemeral') }}

with batches as (select * from {{ ref('base_brewlog__batches') }}),
fills as (select * from {{ ref('base_packline__fills') }}),
per_batch as (
    select batch_id, sum(litres) as litres_filled, sum(case when rejected then litres else 0 end) as litres_rejected
    from fills
    group by 1
)
select
    b.batch_id,
    b.recipe_code,
    b.vessel,
    b.started_at,
    p.litres_filled,
    p.litres_rejected,
    datediff('day', b.started_at, b.ended_at) as days_in_vessel
from batches b
left join per_batch p using (batch_id)
