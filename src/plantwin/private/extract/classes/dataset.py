"""Rows for the dataset family: data at rest."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = dict.fromkeys(
    (
        "person_records",
        "transaction_records",
        "event_records",
        "measurement_records",
        "lookup_table",
        "dataset_snapshot",
    ),
    "structured_record",
)

_ROWS = (
    Row("person_records", "feature", "person_field", 5.0, "min=2"),
    Row("person_records", "feature", "person_field", 4.0, "max=1 no=money_field,time_field,metric_field,log_line"),
    Row("person_records", "feature", "person_field", 2.0, "max=1 has=money_field,time_field,metric_field"),
    Row("person_records", "feature", "health_field", 3.0, "has=person_field"),
    Row("person_records", "name", "patient customer employee user member contact applicant subscriber student person",
        1.0),
    Row("person_records", "name",
        "first_name last_name full_name surname email phone birth dob date_of address ssn gender",
        1.2),
    Row("person_records", "path", "customer patient employee user member contact people person staff applicant lead",
        2.0),
    Row("transaction_records", "feature", "money_field", 5.0, "no=metric_field"),
    Row("transaction_records", "feature", "money_field", 4.0, "has=metric_field"),
    Row("transaction_records", "name",
        "order invoice payment transaction refund sku quantity qty currency amount price total",
        1.1),
    Row("transaction_records", "path", "order invoice payment transaction purchase sale ledger refund billing", 2.2),
    Row("event_records", "feature", "time_field", 3.5, "no=money_field"),
    Row("event_records", "feature", "time_field", 1.2, "has=money_field"),
    Row("event_records", "feature", "log_line", 2.0),
    Row("event_records", "name",
        "event action occurred click page_view event_type event_name event_id session visit alert",
        1.3),
    Row("event_records", "path", "event click activity clickstream tracking session audit history alert", 2.2),
    Row("measurement_records", "feature", "metric_field", 3.0, "no=money_field,person_field part=column:0.3"),
    Row("measurement_records", "feature", "metric_field", 2.0, "no=money_field,person_field"),
    Row("measurement_records", "feature", "metric_field", 2.0, "has=money_field,person_field"),
    Row("measurement_records", "name",
        "temperature humidity pressure sensor reading voltage latency cpu memory value feature",
        1.1),
    Row("measurement_records", "path", "sensor measurement reading telemetry feature timeseries metric iot benchmark",
        2.0),
    Row("lookup_table", "feature", "code_field",
        4.5, "share=column:0.6 atmost=column:5 atmost=metric_field:1 has=keyed"
            " no=person_field,money_field,time_field,text_field"),
    Row("lookup_table", "feature", "code_field",
        1.5, "share=column:0.6 atmost=column:5 atmost=metric_field:0"
            " no=keyed,person_field,money_field,time_field,text_field"),
    Row("lookup_table", "feature", "code_field",
        3.0, "min=2 share=column:0.6 share=money_field:2 atmost=column:5 atmost=row:200 has=keyed"
            " no=person_field,time_field,text_field"),
    Row("lookup_table", "feature", "code_field", 1.2, "no=person_field,money_field,time_field"),
    Row("lookup_table", "feature", "code_field", 1.0, "has=person_field,money_field,time_field"),
    Row("lookup_table", "name", "code iso label description country region category mapping abbreviation", 0.9),
    Row("lookup_table", "path", "lookup code mapping country currency category reference ref map enum list", 2.2),
    Row("lookup_table", "folder", "lookups reference seeds", 3.0),
    Row("dataset_snapshot", "format", "csv tsv jsonl columnar sqlite sqlite_table interchange", 1.5),
    Row("dataset_snapshot", "feature", "row", 1.0),
    Row("dataset_snapshot", "feature", "annotation", 6.0),
    Row("dataset_snapshot", "feature", "text_field", 3.5, "no=person_field,money_field"),
    Row("dataset_snapshot", "folder", "corpus corpora annotations labels", 2.0),
    Row("dataset_snapshot", "path", "snapshot dataset export data", 0.8),
)

ROWS = tuple(
    row if row.target == "dataset_snapshot" else row._replace(when=f"{row.when} no=made_for_tests".strip())
    for row in _ROWS
)
"""Data that lies where projects keep data for tests is that first: whatever it resembles, it was made up."""
