ALTER TABLE patients ALTER COLUMN insurance_no SET NOT NULL;
UPDATE appointments SET status = 'open';
CREATE UNIQUE INDEX patients_by_insurance ON patients (insurance_no);
