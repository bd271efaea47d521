"""Render the incident page from the exported alert list."""

import json
import sys
from collections import Counter
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

env = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True)


def summarise(alerts: list[dict]) -> dict:
    by_service = Counter(alert["service"] for alert in alerts)
    return {
        "first": min(alert["at"] for alert in alerts),
        "last": max(alert["at"] for alert in alerts),
        "services": by_service.most_common(),
        "alerts": sorted(alerts, key=lambda alert: alert["at"]),
    }


def render(source: Path, target: Path) -> None:
    alerts = json.loads(source.read_text())
    target.write_text(env.get_template("incident.html.j2").render(**summarise(alerts)))


if __name__ == "__main__":
    render(Path(sys.argv[1]), Path(sys.argv[2]))
