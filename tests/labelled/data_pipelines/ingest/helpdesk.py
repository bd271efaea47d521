"""Pull changed tickets from the helpdesk and land them as Parquet in the raw zone."""

import logging
import os
from datetime import datetime, timezone

import pyarrow as pa
import pyarrow.parquet as pq
import requests

log = logging.getLogger(__name__)
BASE = os.environ["HELPDESK_URL"]
RAW = os.environ.get("RAW_BUCKET", "s3://raw-zone")
PAGE = 500


def pages(since: str):
    cursor = None
    while True:
        params = {"updated_since": since, "limit": PAGE, **({"cursor": cursor} if cursor else {})}
        answer = requests.get(f"{BASE}/api/tickets", params=params, auth=("etl", os.environ["HELPDESK_TOKEN"]), timeout=60)
        answer.raise_for_status()
        body = answer.json()
        yield body["items"]
        cursor = body.get("next")
        if not cursor:
            return


def load_tickets(data_interval_start: datetime, **_) -> int:
    landed = 0
    day = data_interval_start.astimezone(timezone.utc).date()
    for number, items in enumerate(pages(day.isoformat())):
        table = pa.Table.from_pylist(items)
        pq.write_table(table, f"{RAW}/helpdesk/tickets/day={day}/part-{number:04}.parquet")
        landed += table.num_rows
    log.info("landed %d tickets for %s", landed, day)
    return landed
