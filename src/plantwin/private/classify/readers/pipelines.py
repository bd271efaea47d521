"""Pipelines of continuous integration, Ansible playbooks and the scripts that they call."""

from __future__ import annotations

from plantwin.private.classify.readers.draft import Draft, image, script
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.values import Tree, is_tree, strings, text_of, trees, words

_LEXICON = Lexicon(__file__)
_GITLAB = _LEXICON.words("gitlab")
_GITLAB_ROOT = _LEXICON.words("gitlab_root")
_MAX_JOBS = 300


def _steps(draft: Draft, steps: object) -> None:
    for step in trees(steps)[:200]:
        uses = text_of(step.get("uses"))
        if uses.startswith("./"):
            draft.refer_path(uses[2:], "runs", "root_path")
        elif "@" in uses:
            name, _, version = uses.partition("@")
            draft.pin(name, version if len(version) == 40 else version.removeprefix("v") if "." in version else "*")
        for key in ("run", "script", "bash", "powershell", "pwsh", "command", "commands"):
            script(draft, step.get(key))
        inner = step.get("run")
        if is_tree(inner):
            script(draft, inner.get("command"))
        arguments = step.get("with")
        if is_tree(arguments):
            for key in ("file", "dockerfile", "requirements", "config"):
                draft.refer_path(arguments.get(key), "configures", "root_path")
            draft.refer_path(arguments.get("working-directory"), "runs", "root_path")


def actions(draft: Draft, tree: Tree) -> bool:
    """Read a GitHub or Gitea workflow."""
    jobs = tree["jobs"]
    members = {name: job for name, job in jobs.items() if is_tree(job)} if is_tree(jobs) else {}
    if not any("steps" in job or "uses" in job or "runs-on" in job for job in members.values()):
        return False
    triggers = tree["on"]
    if is_tree(triggers):
        draft.add("schedule", "schedule" in triggers)
    for name, job in list(members.items())[:_MAX_JOBS]:
        draft.add("ci_job")
        draft.name(name)
        uses = text_of(job.get("uses"))
        if uses.startswith("./"):
            draft.refer_path(uses[2:], "runs", "root_path")
        container = job.get("container")
        image(draft, container.get("image") if is_tree(container) else container)
        for service in trees(job.get("services")):
            image(draft, service.get("image"))
        draft.add("resource_limit", "timeout-minutes" in job)
        _steps(draft, job.get("steps"))
    return True


def action(draft: Draft, tree: Tree) -> bool:
    """Read a reusable action."""
    runs = tree["runs"]
    if not is_tree(runs) or "using" not in runs:
        return False
    draft.add("ci_job")
    draft.refer_path(runs.get("main"), "runs")
    draft.refer_path(runs.get("image"), "builds")
    _steps(draft, runs.get("steps"))
    return True


def circle(draft: Draft, tree: Tree) -> bool:
    """Read CircleCI: versioned, with jobs of steps or a workflow."""
    jobs = tree["jobs"]
    if not is_tree(jobs) or not ("workflows" in tree or "orbs" in tree or any("docker" in job for job in trees(jobs))):
        return False
    for name, job in list(jobs.items())[:_MAX_JOBS]:
        draft.add("ci_job")
        draft.name(name)
        if is_tree(job):
            for container in trees(job.get("docker")):
                image(draft, container.get("image"))
            _steps(draft, job.get("steps"))
    return True


def azure(draft: Draft, tree: Tree) -> bool:
    """Read Azure Pipelines, Drone, Buildkite, Cloud Build: steps, or jobs of steps, that run something."""
    jobs = trees(tree.get("jobs")) + [job for stage in trees(tree.get("stages")) for job in trees(stage.get("jobs"))]
    steps = trees(tree.get("steps")) + [step for job in jobs for step in trees(job.get("steps"))]
    telling = ("script", "task", "bash", "command", "commands", "checkout", "plugins", "template", "entrypoint", "args")
    signs = sum(any(key in step for key in telling) for step in steps)
    if not steps or signs * 2 < len(steps):
        return False
    draft.add("ci_job", len(jobs) or 1)
    for job in jobs[:_MAX_JOBS]:
        draft.name(text_of(job.get("job") or job.get("deployment") or job.get("name")))
    for step in steps[:_MAX_JOBS]:
        image(draft, step.get("image"))
        draft.refer_path(step.get("template"), "runs")
    _steps(draft, steps)
    return True


def bitbucket(draft: Draft, tree: Tree) -> bool:
    """Read Bitbucket Pipelines."""
    if not is_tree(tree["pipelines"]):
        return False
    image(draft, tree.get("image"))
    stack: list[object] = [tree["pipelines"], tree.get("definitions")]
    found, left = 0, 2000
    while stack and left:
        left -= 1
        node = stack.pop()
        if type(node) is list:
            stack.extend(node[:200])
        elif is_tree(node):
            step = node.get("step")
            if is_tree(step) and "script" in step:
                found += 1
                draft.name(text_of(step.get("name")))
                image(draft, step.get("image"))
                script(draft, step["script"])
            stack.extend(list(node.values())[:200])
    draft.add("ci_job", found)
    return found > 0


def travis(draft: Draft, tree: Tree) -> bool:
    """Read Travis CI."""
    draft.add("ci_job")
    for key in ("script", "install", "before_script", "after_success", "before_install"):
        script(draft, tree.get(key))
    return True


def gitlab(draft: Draft, tree: Tree) -> bool:
    """Read GitLab CI: root entries that are jobs with a script."""
    jobs = {
        name: job
        for name, job in list(tree.items())[:_MAX_JOBS]
        if is_tree(job) and ("script" in job or ("extends" in job and job.keys() <= _GITLAB) or "trigger" in job)
    }
    telling = sum(len(job.keys() & _GITLAB) >= 2 for job in jobs.values())
    if not jobs or not (tree.keys() & _GITLAB_ROOT or telling):
        return False
    image(draft, tree.get("image"))
    for include in trees(tree.get("include")):
        draft.refer_path(text_of(include.get("local")).lstrip("/"), "configures", "root_path")
    for name, job in jobs.items():
        draft.add("ci_job")
        draft.name(name)
        picture = job.get("image")
        image(draft, picture.get("name") if is_tree(picture) else picture)
        for key in ("before_script", "script", "after_script"):
            script(draft, job.get(key))
    return True


def jenkins(draft: Draft, tree: Tree) -> bool:
    """Read Woodpecker or declarative Jenkins as YAML."""
    pipeline = tree["pipeline"]
    members = trees(pipeline)
    if not any("commands" in member or "image" in member or "stages" in member for member in members) and not (
        is_tree(pipeline) and "stages" in pipeline
    ):
        return False
    draft.add("ci_job", len(members) or 1)
    for member in members[:_MAX_JOBS]:
        image(draft, member.get("image"))
        script(draft, member.get("commands"))
    return True


_PLAY = _LEXICON.words("play")
_TASK = _LEXICON.words("task")
_MODULES = _LEXICON.words("modules")


def playbook(draft: Draft, row: Tree) -> bool:
    """Read one play, an import of one, or one task of a task file."""
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
    # A module that is not listed is one where the rest is a task: a name, what is called, and how.
    unlisted = "name" in row and row.keys() & _TASK and any(type(value) is dict for value in row.values())
    if unlisted or (module and ("name" in row or any(key.count(".") >= 2 for key in row) or row.keys() & _TASK)):
        _task(draft, row)
        draft.add("playbook")
        return True
    return False


def _module(row: Tree) -> str:
    """Return the module that a task calls; its arguments are a mapping, a line of text or nothing."""
    for key, arguments in row.items():
        known = key in _MODULES or key.startswith(("ansible.builtin.", "community.", "amazon.aws.", "kubernetes.core."))
        if known and type(arguments) in (dict, str, type(None)):
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


_MAX = 300


def dvc(draft: Draft, tree: Tree) -> bool:
    """Read dvc.yaml: stages with commands, dependencies and outputs."""
    stages = tree["stages"]
    members = {name: body for name, body in stages.items() if is_tree(body)} if is_tree(stages) else {}
    if not any("cmd" in body or "do" in body for body in members.values()):
        return False
    for name, body in list(members.items())[:_MAX]:
        draft.add("pipeline_step")
        draft.name(name)
        inner = body.get("do")
        step = inner if is_tree(inner) else body
        script(draft, step.get("cmd"), "path")
        _files(draft, step.get("deps"), "reads")
        _files(draft, step.get("params"), "configures")
        for key in ("outs", "metrics", "plots"):
            _files(draft, step.get(key), "writes")
    return True


def _files(draft: Draft, value: object, reason: str) -> None:
    for file in value[:100] if type(value) is list else ():
        target = file if type(file) is str else next(iter(file), "") if type(file) is dict else ""
        if "/" in target or target.endswith((".py", ".csv", ".json", ".yaml", ".yml", ".parquet", ".pkl")):
            draft.refer_path(target, reason)


def tasks(draft: Draft, tree: Tree) -> bool:
    """Read workflow tasks, or the tasks of a runner (`cmds`)."""
    group = tree["tasks"]
    members = trees(group)
    if is_tree(group) and any("cmds" in task or "cmd" in task or "deps" in task for task in members):
        for name, body in list(group.items())[:_MAX]:
            draft.add("task")
            draft.name(name)
            if is_tree(body):
                script(draft, body.get("cmds") or body.get("cmd"), "path")
        return True
    steps = [
        task for task in members if task.keys() & {"task_key", "operator", "depends_on", "dependencies", "upstream"}
    ]
    if not steps or len(steps) * 2 < len(members):
        if any(task.keys() & {"command", "label"} and "type" in task for task in members):
            draft.add("task", len(members))
            draft.add("tool_section")
            return True
        return False
    draft.add("pipeline_step", len(members))
    draft.add("schedule", "schedule" in tree or "schedule_interval" in tree)
    for step in members[:_MAX]:
        draft.name(text_of(step.get("task_key") or step.get("name") or step.get("id")))
        for value in (step, *trees(step)):
            for key in ("notebook_path", "python_file", "script", "sql_file"):
                draft.refer_path(value.get(key), "runs")
    return True


def mlproject(draft: Draft, tree: Tree) -> bool:
    """Read an MLproject file."""
    points = tree["entry_points"]
    if not is_tree(points):
        return False
    for name, body in list(points.items())[:_MAX]:
        draft.add("pipeline_step")
        draft.name(name)
        if is_tree(body):
            script(draft, body.get("command"), "path")
            for word in text_of(body.get("command")).split()[:20]:
                if word.endswith((".py", ".sh")):
                    draft.refer_path(word, "runs")
    for key in ("conda_env", "python_env", "docker_env"):
        draft.refer_path(tree.get(key), "configures")
    return True


def catalog(draft: Draft, tree: Tree) -> bool:
    """Read a Kedro-like data catalog: every entry has a type and a place."""
    entries = [
        body
        for body in trees(tree)
        if "type" in body and body.keys() & {"filepath", "table_name", "sql", "path", "sql_table"}
    ]
    if not entries or len(entries) * 3 < len(tree) * 2:
        return False
    draft.add("pipeline_step", len(entries))
    for body in entries[:_MAX]:
        draft.refer_path(body.get("filepath") or body.get("path"), "reads", "root_path")
        draft.refer("table", text_of(body.get("table_name")), "reads")
    draft.add("column", sum(len(strings(body.get("columns"))) for body in entries))
    return True


_PROJECT = words(
    "model-paths source-paths seed-paths test-paths macro-paths snapshot-paths analysis-paths target-path "
    "clean-targets profile models config-version vars on-run-start"
)


def project(draft: Draft, tree: Tree) -> bool:
    """Read dbt_project.yml."""
    if len(tree.keys() & _PROJECT) < 3:
        return False
    draft.add("pipeline_step")
    draft.name(text_of(tree["name"]))
    draft.provide("dbt_project", text_of(tree["name"]))
    for group in ("model-paths", "source-paths", "seed-paths", "macro-paths", "snapshot-paths", "test-paths"):
        for path in strings(tree.get(group)):
            draft.name(path)
    return True


def properties(draft: Draft, tree: Tree) -> bool:
    """Read schema.yml: models, sources, seeds, with columns and tests."""
    models = [model for group in ("models", "seeds", "snapshots") for model in _named(tree.get(group))]
    sources = [source for source in _named(tree.get("sources")) if "tables" in source]
    if not (sources or ("version" in tree and models) or any("columns" in model for model in models)):
        return False
    for model in models[:_MAX]:
        draft.name(text_of(model["name"]))
        draft.refer("dbt", text_of(model["name"]), "documents")
        draft.add("schema_def")
        _columns(draft, model)
    for source in sources[:_MAX]:
        name = text_of(source["name"])
        draft.name(name)
        draft.add("data_check", "freshness" in source or "loaded_at_field" in source)
        for table in _named(source["tables"])[:_MAX]:
            draft.add("dbt_source")
            draft.name(text_of(table["name"]))
            draft.provide("dbt_source", f"{name}.{text_of(table['name'])}")
            draft.provide("table", text_of(table.get("identifier") or table["name"]))
            _columns(draft, table)
    draft.add("data_check", len(trees(tree.get("unit_tests"))))
    return True


def _named(value: object) -> list[Tree]:
    return [entry for entry in trees(value) if text_of(entry.get("name"))] if type(value) is list else []


def _columns(draft: Draft, owner: Tree) -> None:
    _tests(draft, owner)
    for column in trees(owner.get("columns"))[:_MAX]:
        draft.add("column")
        draft.name(text_of(column.get("name")))
        _tests(draft, column)


def _tests(draft: Draft, owner: Tree) -> None:
    tests = owner.get("tests") or owner.get("data_tests")
    for test in tests[:50] if type(tests) is list else ():
        draft.add("data_check")
        relation = test.get("relationships") if is_tree(test) else None
        if is_tree(relation):
            draft.add("foreign_key")
            target = text_of(relation.get("to"))
            if target.startswith("ref("):
                draft.refer("dbt", target[4:].strip("\"') "), "reads")
