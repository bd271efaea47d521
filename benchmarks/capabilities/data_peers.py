"""Runs in the Python of the peers: what frictionless, ydata-profiling or evidently say of tables, as JSON.

python data_peers.py frictionless|ydata_profiling|evidently FOLDER
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any


def frictionless(folder: Path) -> dict[str, Any]:
    """Return the types that it infers, and the errors of a table by column."""
    from frictionless import Resource

    told = {}
    for file in sorted(folder.glob("*.csv")):
        table = Resource(path=file.name, basepath=str(folder))
        errors = [(error.type, getattr(error, "field_name", "") or "") for error in table.validate().tasks[0].errors]
        types = {field.name: field.type for field in table.schema.fields}
        rows = ("extra-cell", "missing-cell", "blank-row")
        told[file.name] = {
            "types": types,
            "faults": [[kind, "(rows)" if kind in rows else name] for kind, name in errors],
        }
    return told


def ydata_profiling(folder: Path) -> dict[str, Any]:
    """Return the types that it infers, and its alerts by column."""
    import pandas
    from ydata_profiling import ProfileReport

    told = {}
    for file in sorted(folder.glob("*.csv")):
        try:
            table = pandas.read_csv(file)
        except pandas.errors.ParserError:
            told[file.name] = {"types": {}, "faults": [["unreadable", "(rows)"]]}
            continue
        seen = ProfileReport(table, minimal=True, duplicates={"head": 10}, progress_bar=False).get_description()
        types = {name: str(column["type"]) for name, column in seen.variables.items()}
        told[file.name] = {
            "types": types,
            "faults": [[str(alert.alert_type), alert.column_name or "(rows)"] for alert in seen.alerts],
        }
    return told


def evidently(folder: Path) -> dict[str, Any]:
    """Return the columns that drifted from `NAME.before.csv` to `NAME.now.csv`."""
    import pandas
    from evidently import Report
    from evidently.presets import DataDriftPreset

    told = {}
    for file in sorted(folder.glob("*.before.csv")):
        now = pandas.read_csv(str(file).replace(".before.", ".now."))
        seen = Report([DataDriftPreset()], include_tests=True).run(now, pandas.read_csv(file)).dict()
        told[file.name.removesuffix(".before.csv")] = [
            test["metric_config"]["params"]["column"]
            for test in seen["tests"]
            if test["id"] == "drift" and test["status"].value == "FAIL"
        ]
    return told


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    readers = {"frictionless": frictionless, "ydata_profiling": ydata_profiling, "evidently": evidently}
    print(f"\n{json.dumps(readers[sys.argv[1]](Path(sys.argv[2])))}")
