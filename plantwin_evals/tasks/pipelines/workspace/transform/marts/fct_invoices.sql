select
    c.customer_id,
    c.name,
    c.iban,
    u.usage_day,
    u.usage_kwh * t.cents_per_kwh / 100.0 as amount_eur
from {{ ref('int_daily_usage') }} as u
left join {{ ref('stg_customers') }} as c on c.meter_id = u.meter_id
cross join {{ ref('tariffs') }} as t
where c.tariff = t.code
  and c.customer_id not in (select customer_id from {{ source('raw', 'disputes') }})
order by u.usage_day
