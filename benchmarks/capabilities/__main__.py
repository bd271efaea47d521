"""Measure capabilities beside the tools that a person would reach for, and write docs/capabilities-measured.md.

python -m benchmarks.capabilities [--only NAME] [--data FOLDER OF PUBLIC REPOSITORIES]
"""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import benchmarks.capabilities
from benchmarks.capabilities.section import Section

PAGE = Path(__file__).parents[2] / "docs" / "capabilities-measured.md"
HEAD = """# Capabilities, measured

Made by `python -m benchmarks.capabilities`, each capability beside its peer
in one run; `--data` names a folder of public repositories.
"""


def modules() -> list[str]:
    """Return the modules that measure something for the page."""
    names = [module.name for module in iter_modules(benchmarks.capabilities.__path__) if module.name != "__main__"]
    return [name for name in names if hasattr(import_module(f"benchmarks.capabilities.{name}"), "sections")]


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capabilities", description=__doc__)
    parser.add_argument("--only", choices=modules(), help="measure this one alone")
    parser.add_argument("--data", type=Path, help="a folder of public repositories, for figures on real files")
    chosen = parser.parse_args()
    page = PAGE.read_text("utf-8") if PAGE.exists() else HEAD
    for name in [chosen.only] if chosen.only else modules():
        measured: list[Section] = import_module(f"benchmarks.capabilities.{name}").sections(chosen.data)
        text = "\n".join(section.markdown() for section in measured)
        print(text)
        page = replaced(page, name, text)
    PAGE.write_text(page, "utf-8")


def replaced(page: str, name: str, text: str) -> str:
    """Return the page with the part of one capability made anew."""
    part = f"<!-- {name} -->\n{text}<!-- end of {name} -->\n"
    known = re.compile(rf"<!-- {name} -->\n.*?<!-- end of {name} -->\n", re.DOTALL)
    return known.sub(lambda _: part, page) if known.search(page) else f"{page.rstrip()}\n\n{part}"


if __name__ == "__main__":
    main()
