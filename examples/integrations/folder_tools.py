"""PlanTwin as tools of an agent: what its model hears is recorded, charged and bounded like what any planner hears.

The agent's model is the planner: it sees sets of files in closed words, hands plans in, and hears bucketed outcomes. Files,
names and findings stay here; the person reads them in the report.
"""

from __future__ import annotations

import json
import os

from plantwin import AgentSession, Folder


class FolderTools:
    """The tools for one folder. `audience`: the provider of the agent's model, who learns what it hears."""

    def __init__(self, root: str | os.PathLike[str], audience: str, **options: object) -> None:
        self._folder = Folder.of(root, audience, **options)  # type: ignore[arg-type]
        self._session: AgentSession | None = None

    def how_to_plan(self) -> str:
        """Learn the words of the folder's sets, the capabilities and how a plan is written. Read it first."""
        return self._folder.guide

    def look_at_folder(self, goal: str) -> str:
        """Begin work on the private folder: say what you want to find out, and get its sets of files as JSON."""
        self.close()
        self._session = AgentSession(self._folder, goal)
        return self._session.opening().text

    def run_plan(self, steps: str) -> str:
        """Run a plan on the real files. `steps` is a JSON list of {"id", "capability", "inputs"}; returns outcomes."""
        try:
            plan = json.dumps({"steps": json.loads(steps)}).encode()
        except ValueError:
            return "not JSON"
        return "look_at_folder comes first" if self._session is None else self._session.submit(plan).text

    def close(self) -> None:
        """End the session, so that the person gets the report."""
        if self._session is not None:
            self._session.end()
            self._session = None
