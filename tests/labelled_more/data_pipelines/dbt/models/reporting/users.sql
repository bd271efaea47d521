{{
  config(
    materialized = 'incremental',
    unique_key = ['month', 'recipe_code'],
    post_hook = "grant select on {{ this }} to role board_readers"
  )
}}

select
    date_trunc('month', y.started_at)          as month,
    y.recipe_code,
    r.display_name                             as beer,
    count(*)                                   as batches,
    sum(y.litres_filled) / 100                 as hectolitres,
    sum(y.litres_rejected) / nullif(sum(y.litres_filled), 0) as reject_rate,
    avg(y.days_in_vessel)                      as mean_days
from {{ ref('batch_yield') }} y
join {{ ref('recipes') }} r on r.recipe_code = y.recipe_code
{% if is_incremental() %}
where y.started_at >= (select dateadd('month', -1, max(month)) from {{ this }})
{% endif %}
group by 1, 2, 3
