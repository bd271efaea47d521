"""Settings of the stage we run in. Read once, at import."""

import os
import tomllib
from pathlib import Path

VERSION = "2.4.0.dev0"
STAGE = os.environ.get("PERKS_STAGE", "staging")
_FILE = Path(__file__).parent.parent / "config" / f"{STAGE}.toml"
_VALUES = tomllib.loads(_FILE.read_text(encoding="utf-8")) if _FILE.exists() else {}

# FIXME(maren): from the vault once platform has given us a role there
SIGNING_KEY = os.environ.get("PERKS_SIGNING_KEY", "{{secret:jwt_signing}}")
DATABASE_URL = os.environ.get("DATABASE_URL") or _VALUES.get("database", {}).get("url", "sqlite:///perks.db")
PAYMENT_KEY = os.environ.get("PAYMENT_KEY", "")
POINTS_EXPIRE_MONTHS = int(_VALUES.get("points", {}).get("expire_months", 24))
REQUEST_TIMEOUT = float(_VALUES.get("http", {}).get("timeout_seconds", 10))
