"""An agent of LangGraph that works on a private folder through PlanTwin: pip install langgraph."""

from __future__ import annotations

import os
from typing import Any

from folder_tools import FolderTools
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import StructuredTool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode


def answer(model: BaseChatModel, root: str | os.PathLike[str], goal: str, audience: str, **options: Any) -> str:
    """Let the model plan until it calls no tool any more, and return what it says last."""
    tools = FolderTools(root, audience, **options)
    known = [StructuredTool.from_function(each) for each in (tools.how_to_plan, tools.look_at_folder, tools.run_plan)]
    bound = model.bind_tools(known)

    def think(state: MessagesState) -> dict[str, Any]:
        return {"messages": [bound.invoke(state["messages"])]}

    def more(state: MessagesState) -> str:
        return "work" if getattr(state["messages"][-1], "tool_calls", None) else END

    graph = StateGraph(MessagesState)
    graph.add_node("think", think)
    graph.add_node("work", ToolNode(known))
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", more)
    graph.add_edge("work", "think")
    try:
        return str(graph.compile().invoke({"messages": [("user", goal)]})["messages"][-1].content)
    finally:
        tools.close()
