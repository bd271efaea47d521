"""When runtimes and systems stop being maintained. Shipped data: dated, and not complete."""

# ruff: noqa: E501 (tables)

from __future__ import annotations

import re
from datetime import date
from functools import cache

AS_OF = date(2025, 12, 1)
"""When the table was last looked through. Dates after it were plans then."""
SOURCE = "the projects' published release schedules, entered by hand; Java by Oracle's, Debian by its long-term support"

_TABLE = """
python 2.7 2020-01-01; 3.4 2019-03-18; 3.5 2020-09-30; 3.6 2021-12-23; 3.7 2023-06-27; 3.8 2024-10-07; 3.9 2025-10-31;
 3.10 2026-10-31; 3.11 2027-10-31; 3.12 2028-10-31; 3.13 2029-10-31; 3.14 2030-10-31
nodejs 8 2019-12-31; 10 2021-04-30; 11 2019-06-01; 12 2022-04-30; 13 2020-06-01; 14 2023-04-30; 15 2021-06-01; 16 2023-09-11;
 17 2022-06-01; 18 2025-04-30; 19 2023-06-01; 20 2026-04-30; 21 2024-06-01; 22 2027-04-30; 23 2025-06-01; 24 2028-04-30
ruby 2.4 2020-03-31; 2.5 2021-03-31; 2.6 2022-04-12; 2.7 2023-03-31; 3.0 2024-04-23; 3.1 2025-03-26; 3.2 2026-03-31; 3.3 2027-03-31;
 3.4 2028-03-31
php 5.6 2018-12-31; 7.0 2019-01-10; 7.1 2019-12-01; 7.2 2020-11-30; 7.3 2021-12-06; 7.4 2022-11-28; 8.0 2023-11-26;
 8.1 2025-12-31; 8.2 2026-12-31; 8.3 2027-12-31; 8.4 2028-12-31
go 1.16 2022-03-15; 1.17 2022-08-02; 1.18 2023-02-01; 1.19 2023-08-08; 1.20 2024-02-06; 1.21 2024-08-13; 1.22 2025-02-11;
 1.23 2025-08-12
java 6 2018-12-31; 7 2022-07-31; 9 2018-03-20; 10 2018-09-25; 12 2019-09-17; 13 2020-03-17; 14 2020-09-16; 15 2021-03-16;
 16 2021-09-14; 18 2022-09-20; 19 2023-03-21; 20 2023-09-19; 22 2024-09-17; 23 2025-03-18
dotnet 2.1 2021-08-21; 3.1 2022-12-13; 5 2022-05-10; 6 2024-11-12; 7 2024-05-14; 8 2026-11-10; 9 2026-11-10
debian 8 2020-06-30; jessie 2020-06-30; 9 2022-06-30; stretch 2022-06-30; 10 2024-06-30; buster 2024-06-30;
 11 2026-08-31; bullseye 2026-08-31; 12 2028-06-30; bookworm 2028-06-30
ubuntu 14.04 2019-04-25; trusty 2019-04-25; 16.04 2021-04-30; xenial 2021-04-30; 18.04 2023-05-31; bionic 2023-05-31;
 20.04 2025-05-31; focal 2025-05-31; 22.04 2027-04-30; jammy 2027-04-30; 24.04 2029-04-30; noble 2029-04-30
alpine 3.12 2022-05-01; 3.13 2022-11-01; 3.14 2023-05-01; 3.15 2023-11-01; 3.16 2024-05-23; 3.17 2024-11-22; 3.18 2025-05-09;
 3.19 2025-11-01; 3.20 2026-04-01; 3.21 2026-11-01; 3.22 2027-05-01
centos 6 2020-11-30; 7 2024-06-30; 8 2021-12-31
postgresql 9 2021-11-11; 10 2022-11-10; 11 2023-11-09; 12 2024-11-21; 13 2025-11-13; 14 2026-11-12; 15 2027-11-11; 16 2028-11-09;
 17 2029-11-08
mysql 5.5 2018-12-03; 5.6 2021-02-05; 5.7 2023-10-31; 8.0 2026-04-30
mongodb 3.6 2021-04-30; 4.0 2022-04-30; 4.2 2023-04-30; 4.4 2024-02-29; 5.0 2024-10-31; 6.0 2025-07-31; 7.0 2027-08-31
"""


@cache
def table() -> dict[str, dict[str, date]]:
    """Ends by product and release."""
    found: dict[str, dict[str, date]] = {}
    for row in _TABLE.replace("\n ", " ").strip().split("\n"):
        product, _, rest = row.partition(" ")
        found[product] = {
            release: date.fromisoformat(end)
            for release, end in (each.split() for each in rest.split(";") if each.strip())
        }
    return found


def end(product: str, wanted: str) -> tuple[str, date] | None:
    """The release that a version belongs to, and when it ended or will end."""
    known = table().get(product)
    if known is None:
        return None
    bare = wanted.strip().lower().lstrip("v")
    if bare in known:
        return bare, known[bare]
    parts = re.findall(r"\d+", bare.partition("-")[0])
    for length in (2, 1):
        release = ".".join(parts[:length])
        if len(parts) >= length and release in known:
            return release, known[release]
    return None
