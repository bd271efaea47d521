SELECT c.name, count(*) FILTER (WHERE a.status = 'missed')::numeric / count(*) AS share
FROM appointments a
LEFT JOIN clinics c ON c.clinic_id = a.clinic_id
WHERE c.name <> 'Lakenoord'
GROUP BY c.name;

SELECT patient_id FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM appointments WHERE status = NULL);
