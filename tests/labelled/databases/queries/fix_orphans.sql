-- One-off, run by hand on 3 April after the import. Check the count first!
select count(*) from reminders r left join visits v on v.visit_id = r.visit_id where v.visit_id is null;

delete from reminders r
where not exists (select 1 from visits v where v.visit_id = r.visit_id)
  and r.sent_at is null;

update visits
set minutes = 20
where minutes is null
  and starts_at < '2024-01-01';
