"""Writes workspaces.json: the twins of the labelled folders and of the example, by path, as goals.toml refers to them.

    python tests/cloud/offline_goals/make_workspaces.py

The planner is examined on what this wrote, so that another rule of extraction does not move its score.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from plantwin.private.environment import Environment
from plantwin.private.project import projection

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
KEPT = ("kind", "semantic_class", "role", "component", "sensitivity", "contains", "lacks")
"""Fields that planning depends on."""
FOLDERS = {
    "shop": ROOT / "examples" / "shop",
    **{f"{each.name}": each for each in sorted((ROOT / "tests" / "labelled").iterdir()) if each.is_dir()},
    **{f"{each.name}_more": each for each in sorted((ROOT / "tests" / "labelled_more").iterdir()) if each.is_dir()},
}


def workspace(folder: Path) -> dict[str, object]:
    """Objects by path with all their fields, and edges between paths; random ids and order are gone."""
    made = projection(Environment(folder, keep=False))
    paths = {id_: record.path + (f"#{record.part}" if record.part else "") for id_, record in made.objects.items()}
    names: dict[str, str] = {}
    objects = {}
    for each in sorted(made.twin.objects, key=lambda each: paths[each.object_id]):
        fields = msgspec.to_builtins(each)
        fields = {key: fields[key] for key in KEPT if key in fields}
        if "component" in fields:
            fields["component"] = names.setdefault(fields["component"], f"c{len(names) + 1}")
        objects[paths[each.object_id]] = fields
    edges = []
    for edge in made.twin.edges:
        fields = msgspec.to_builtins(edge)
        fields["source"] = paths[fields["source"]]
        if "target" in fields:
            fields["target"] = paths[fields["target"]]
        edges.append(fields)
    return {"objects": objects, "edges": sorted(edges, key=lambda each: json.dumps(each, sort_keys=True))}


def main() -> None:
    """All folders, one object per line."""
    lines = []
    for name, folder in FOLDERS.items():
        if "__pycache__" in name:
            continue
        made = workspace(folder)
        objects = ",\n".join(f"  {json.dumps(path)}: {json.dumps(each)}" for path, each in made["objects"].items())
        edges = ",\n".join(f"  {json.dumps(each)}" for each in made["edges"])
        lines.append(f'{json.dumps(name)}: {{"objects": {{\n{objects}\n}}, "edges": [\n{edges}\n]}}')
    (HERE / "workspaces.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
