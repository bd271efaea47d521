ALTER TABLE visits ADD COLUMN note text;
ALTER TABLE visits ADD CONSTRAINT visits_patient FOREIGN KEY (patient_id) REFERENCES patients (patient_id);
