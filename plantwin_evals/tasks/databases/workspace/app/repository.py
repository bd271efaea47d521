"""Reading and writing patients and visits."""

import os

import psycopg2

DSN = os.environ.get("CLINIC_DSN", "postgresql://clinic_app:Zw4luw-Kade_61@pg-tessaly-01.tessaly.internal:5432/clinic")


def connection():
    """A connection for one piece of work."""
    return psycopg2.connect(DSN)


def find_patients(cursor, name, order="full_name"):
    """Patients whose name holds a word."""
    cursor.execute(f"SELECT * FROM patients WHERE full_name ILIKE '%{name}%' ORDER BY {order}")
    return cursor.fetchall()


def visits_of(cursor, patient_ids):
    """Visits by patient."""
    found = {}
    for patient_id in patient_ids:
        cursor.execute("SELECT * FROM visits WHERE patient_id = %s ORDER BY started_at", (patient_id,))
        found[patient_id] = cursor.fetchall()
    return found


def contact_of(cursor, patient_id):
    """How a patient is reached: the phone, else what the old system knew."""
    cursor.execute("SELECT phone, legacy_contact FROM patients WHERE patient_id = %s", (patient_id,))
    phone, legacy = cursor.fetchone()
    return phone or legacy
