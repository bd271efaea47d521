"""Write rows to the warehouse."""

import os

WAREHOUSE = os.environ.get("WAREHOUSE_URL", "{{secret:warehouse_url}}")


def run(rows, connection=None):
    """How many rows were written. The day is replaced as a whole."""
    days = sorted({row["read_at"].date() for row in rows})
    for day in days:
        connection.execute(f"DELETE FROM raw.readings WHERE CAST(read_at AS DATE) = '{day}'")
    for row in rows:
        connection.execute(
            "INSERT INTO raw.readings (meter_id, read_at, usage_kwh, quality, district) VALUES (?, ?, ?, ?, ?)",
            tuple(row.values()),
        )
    return len(rows)
