"""Ansible playbooks and task files."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, strings, text_of, trees
from plantwin.private.extract.formats.words import words

_PLAY = words("tasks roles pre_tasks post_tasks handlers vars_files become gather_facts")
_TASK = words("when register notify loop with_items become tags delegate_to changed_when failed_when args vars")
_MODULES = words(
    "apt yum dnf package pip service systemd copy template file shell command user group lineinfile git get_url "
    "unarchive debug set_fact include_tasks import_tasks include_role import_role docker_container cron uri assert "
    "stat wait_for block fail mount sysctl ufw blockinfile replace"
)


def playbook(draft: Draft, row: Tree) -> bool:
    """One play, an import of one, or one task of a task file."""
    if "hosts" in row and row.keys() & _PLAY:
        draft.add("task")
        draft.add("infra_compute")
        for group in ("pre_tasks", "tasks", "post_tasks", "handlers"):
            for task in trees(row.get(group))[:300]:
                _task(draft, task)
        for role in row["roles"] if type(row.get("roles")) is list else ():  # type: ignore[attr-defined]
            name = text_of(role) or (text_of(role.get("role") or role.get("name")) if type(role) is dict else "")
            draft.refer_path(f"roles/{name}" if name else "", "runs")
            draft.name(name)
        for target in strings(row.get("vars_files")):
            draft.refer_path(target, "configures")
        return True
    if "import_playbook" in row or "ansible.builtin.import_playbook" in row:
        draft.add("task")
        draft.refer_path(row.get("import_playbook") or row.get("ansible.builtin.import_playbook"), "runs")
        return True
    module = _module(row)
    if module and ("name" in row or any(key.count(".") >= 2 for key in row) or row.keys() & _TASK):
        _task(draft, row)
        draft.add("playbook")
        return True
    return False


def _module(row: Tree) -> str:
    for key in row:
        if key in _MODULES or key.startswith(("ansible.builtin.", "community.", "amazon.aws.", "kubernetes.core.")):
            return key.rsplit(".", 1)[-1]
    return ""


def _task(draft: Draft, task: Tree) -> None:
    draft.add("task")
    module = _module(task)
    draft.call(module)
    body = task.get(module) or task.get(f"ansible.builtin.{module}")
    if module in ("include_tasks", "import_tasks"):
        draft.refer_path(body, "runs")
    elif module in ("template", "copy") and type(body) is dict:
        folder = "templates" if module == "template" else "files"
        target = text_of(body.get("src"))
        draft.refer_path(target if "/" in target else f"../{folder}/{target}", "configures")
    for key in ("block", "rescue", "always"):
        for inner in trees(task.get(key))[:100]:
            draft.add("task")
            draft.call(_module(inner))
