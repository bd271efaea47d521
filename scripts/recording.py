"""Records a terminal session as docs/session.svg: real commands on the example shop, with their real output.

python scripts/recording.py [FILE]
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = (
    ("run", "Are there secrets in this project?", "shop"),
    ("twin", "shop"),
    ("audit", "verify"),
)
WIDTH, MOST = 96, 16
"""Columns of the picture, and lines of one command's output that are shown."""


def main() -> None:
    """Run the commands in a folder of their own and draw what they print."""
    with tempfile.TemporaryDirectory() as name, Path(os.devnull).open("w") as nowhere:
        screen = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True, color_system="truecolor")
        folder = Path(name)
        shutil.copytree(ROOT / "examples" / "shop", folder / "shop")
        settings = {
            **os.environ, "PLANTWIN_STATE": f"{name}/state", "XDG_CONFIG_HOME": f"{name}/config",
            "COLUMNS": str(WIDTH), "HOME": name,
        }  # fmt: skip
        for command in COMMANDS:
            shown = " ".join(f'"{word}"' if " " in word else word for word in command)
            screen.print(Text.assemble(("$ ", "bold green"), (f"plantwin {shown}", "bold")))
            done = subprocess.run(
                [sys.executable, "-m", "plantwin", *command],
                cwd=folder, env=settings, capture_output=True, text=True, check=True,
            )  # fmt: skip
            lines = done.stdout.replace(name, "~").rstrip().splitlines()
            for line in lines[:MOST]:
                screen.print(Text(line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"), soft_wrap=True)
            if len(lines) > MOST:
                screen.print(Text("…", style="dim"))
            screen.print()
    # Rich's own template fetches a font: whoever reads the page would ask another server for it.
    svg = re.sub(
        r"@font-face \{.*?\}\s*", "", screen.export_svg(title="plantwin", unique_id="session"), flags=re.DOTALL
    )
    Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs" / "session.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
