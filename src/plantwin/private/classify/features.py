"""Names of all structural features, with what each means: `features.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

FEATURES: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
