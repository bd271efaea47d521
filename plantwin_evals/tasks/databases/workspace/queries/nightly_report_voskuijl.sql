-- Report for Dr. Annelie Voskuijl, every night at 23:00
SELECT p.full_name,
       (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) AS visits,
       (SELECT max(v.started_at) FROM visits v WHERE v.patient_id = p.patient_id) AS last_visit
FROM patients p
WHERE lower(p.full_name) LIKE '%a%'
ORDER BY visits DESC;

SELECT *
FROM visits v, clinics c
WHERE date(v.started_at) = current_date - 1
ORDER BY v.started_at;
