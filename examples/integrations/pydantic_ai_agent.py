"""An agent of pydantic-ai that works on a private folder through PlanTwin: pip install pydantic-ai-slim."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from folder_tools import FolderTools
from pydantic_ai import Agent


def answer(model: Any, root: str | os.PathLike[str], goal: str, audience: str, **options: Any) -> str:
    """Let the model plan until it has an answer, and return it."""
    tools = FolderTools(root, audience, **options)
    agent = Agent(model, tools=[tools.how_to_plan, tools.look_at_folder, tools.run_plan])
    try:
        return asyncio.run(agent.run(goal)).output
    finally:
        tools.close()
