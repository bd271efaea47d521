"""Confirming and moving appointments."""

import logging

from app.repository import connection, contact_of

log = logging.getLogger("app.appointments")


def confirm(appointment_id):
    """Mark an appointment as confirmed and say how the patient is reached."""
    with connection() as opened, opened.cursor() as cursor:
        cursor.execute("SET lock_timeout = '2s'")
        cursor.execute(
            "UPDATE appointments SET status = 'confirmed' WHERE appointment_id = %s RETURNING patient_id",
            (appointment_id,),
        )
        (patient_id,) = cursor.fetchone()
        return contact_of(cursor, patient_id)


def move(appointment_id, slot_id):
    """Move an appointment to another slot; slots are 32 bits wide in the calendar service."""
    if not 0 < slot_id < 2**31:
        raise ValueError("slot out of range")
    with connection() as opened, opened.cursor() as cursor:
        cursor.execute("UPDATE appointments SET slot_id = %s WHERE appointment_id = %s", (slot_id, appointment_id))
        log.info("moved appointment %s", appointment_id)


def open_slots(cursor, day):
    """Slots of a day that nobody has taken."""
    cursor.execute("SELECT slot_id FROM appointments WHERE status = 'open' AND changed_at::date = %s", (day,))
    return [row[0] for row in cursor.fetchall()]
