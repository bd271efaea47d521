"""Monthly fees for the insurers."""

import csv

from app.repository import connection

QUERY = """
SELECT v.visit_id, p.insurance_no, v.fee_eur
FROM visits v JOIN patients p ON p.patient_id = v.patient_id
WHERE to_char(v.started_at, 'YYYY-MM') = %s
"""


def export(month, path):
    """Write the fees of a month and return their sum."""
    total = 0
    with connection() as opened, opened.cursor() as cursor, open(path, "w", newline="") as file:
        cursor.execute(QUERY, (month,))
        writer = csv.writer(file)
        for visit_id, insurance_no, fee in cursor:
            total += fee
            writer.writerow([visit_id, insurance_no, fee])
    return total
