select p.name, l.code, count(*) n, round(avg(julianday(l.returned) - julianday(l.taken)), 1) d
from loan l
join part p on p.id = l.part_id
left join bench b on b.id = l.bench_id
where l.taken >= date('now', '-1 year')
  and b.closed is null
group by 1, 2
having n > 3
order by d desc
limit 40;

delete from loan where returned is not null and taken < date('now', '-6 years');
