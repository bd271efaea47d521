-- waiting time by specialty for the last quarter, without cancelled visits
with waits as (
    select
        p.specialty,
        extract(day from v.starts_at - v.booked_at) as days
    from visits v
    join practitioners p using (practitioner_id)
    where v.starts_at >= date_trunc('quarter', now()) - interval '3 months'
      and v.starts_at < date_trunc('quarter', now())
      and not v.cancelled
)
select
    specialty,
    count(*) as visits,
    round(avg(days), 1) as mean_days,
    percentile_disc(0.5) within group (order by days) as median_days
from waits
group by specialty
having count(*) > 20
order by mean_days desc;
