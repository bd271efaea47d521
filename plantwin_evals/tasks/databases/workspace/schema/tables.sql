CREATE TABLE patients (
    patient_id   bigint PRIMARY KEY,
    full_name    text NOT NULL,
    born_on      date,
    national_id  text UNIQUE,
    phone        text,
    insurance_no text NOT NULL,
    registered_on date NOT NULL DEFAULT current_date
);

CREATE TABLE clinics (
    clinic_id integer PRIMARY KEY,
    name      text NOT NULL
);

CREATE TABLE visits (
    visit_id    bigint PRIMARY KEY,
    patient_id  bigint NOT NULL REFERENCES patients (patient_id),
    clinic      text NOT NULL,
    started_at  timestamptz NOT NULL,
    ended_at    timestamptz,
    diagnosis   text,
    note        text,
    fee_eur     real
);

CREATE TABLE appointments (
    appointment_id bigint PRIMARY KEY,
    patient_id     bigint NOT NULL REFERENCES patients (patient_id),
    clinic_id      integer NOT NULL REFERENCES clinics (clinic_id),
    slot_id        bigint NOT NULL,
    status         text NOT NULL DEFAULT 'open',
    changed_at     timestamptz
);

CREATE INDEX appointments_by_slot ON appointments (slot_id);
CREATE INDEX visits_by_time ON visits (started_at);
