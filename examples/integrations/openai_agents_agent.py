"""An agent of the OpenAI Agents SDK that works on a private folder through PlanTwin: pip install openai-agents."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from agents import Agent, Model, RunConfig, Runner, function_tool
from folder_tools import FolderTools


def answer(model: Model | str, root: str | os.PathLike[str], goal: str, audience: str, **options: Any) -> str:
    """Let the model plan until it has an answer, and return it. Traces would be sent to the provider: they are off."""
    tools = FolderTools(root, audience, **options)
    known = [function_tool(each) for each in (tools.how_to_plan, tools.look_at_folder, tools.run_plan)]
    agent = Agent(name="planner", model=model, tools=known)
    try:
        made = asyncio.run(Runner.run(agent, goal, run_config=RunConfig(tracing_disabled=True)))
        return str(made.final_output)
    finally:
        tools.close()
