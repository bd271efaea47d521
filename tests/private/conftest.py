from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# What the person who runs the tests has configured is none of their business.
os.environ["XDG_CONFIG_HOME"] = str(Path(__file__).parent / "absent")
