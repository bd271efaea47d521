"""The examples for agent frameworks run with the real packages; scripted models stand where a provider's would be."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import agents
import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from mcp_agents import GOAL, PLANTED
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from pydantic import Field
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "integrations"))
import langgraph_agent
import openai_agents_agent
import pydantic_ai_agent


class Script:
    """A model that looks at the folder, plans one step over all that it is shown, and says what came of it."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def next(self, conversation: str) -> tuple[str, dict[str, str]] | str:
        """The tool to call with its arguments, or the answer."""
        self.heard.append(conversation)
        if len(self.heard) == 1:
            return "look_at_folder", {"goal": GOAL}
        if len(self.heard) == 2:
            sets = sorted(set(re.findall(r"set_[a-z2-7]{8}", conversation)))
            steps = [{"id": "s1", "capability": "secret_scan", "inputs": sets}]
            return "run_plan", {"steps": json.dumps(steps)}
        return f"affected: {re.findall('affected[^a-z]+([a-z]+)', conversation)[-1]}"


class ChatModel(BaseChatModel):
    """The script as LangChain calls models."""

    script: Any = Field(exclude=True)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **_: Any) -> ChatResult:
        turn = self.script.next(" ".join(str(each.content) for each in messages))
        made = AIMessage(turn) if isinstance(turn, str) else AIMessage(
            "", tool_calls=[{"name": turn[0], "args": turn[1], "id": f"call_{len(messages)}"}]
        )  # fmt: skip
        return ChatResult(generations=[ChatGeneration(message=made)])


def langgraph_model(script: Script) -> Any:
    return ChatModel(script=script)


def pydantic_model(script: Script) -> Any:
    def respond(messages: list[Any], _: Any) -> ModelResponse:
        turn = script.next(" ".join(str(part.content) for each in messages for part in each.parts
                                    if hasattr(part, "content")))  # fmt: skip
        return ModelResponse(parts=[TextPart(turn) if isinstance(turn, str) else ToolCallPart(*turn)])

    return FunctionModel(respond)


class AgentsModel(agents.Model):
    """The script as the Agents SDK calls models."""

    def __init__(self, script: Script) -> None:
        self._script = script

    async def get_response(self, *arguments: Any, **named: Any) -> agents.ModelResponse:
        turn = self._script.next(
            json.dumps(named.get("input", arguments[1] if len(arguments) > 1 else ""), default=str)
        )
        id_ = str(len(self._script.heard))
        output: Any
        if isinstance(turn, str):
            text = ResponseOutputText(text=turn, type="output_text", annotations=[])
            output = ResponseOutputMessage(id=id_, content=[text], role="assistant", status="completed", type="message")
        else:
            name, given = turn
            output = ResponseFunctionToolCall(call_id=id_, name=name, arguments=json.dumps(given), type="function_call")
        return agents.ModelResponse(output=[output], usage=agents.Usage(), response_id=None)

    def stream_response(self, *arguments: Any, **named: Any) -> Any:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("example", "model"),
    [(langgraph_agent, langgraph_model), (pydantic_ai_agent, pydantic_model), (openai_agents_agent, AgentsModel)],
    ids=["langgraph", "pydantic-ai", "openai-agents"],
)
def test_an_agent_of_the_framework_works_on_the_folder_and_sees_none_of_it(
    tree: Path, tmp_path: Path, example: Any, model: Callable[[Script], Any]
) -> None:
    script = Script()
    said = example.answer(model(script), tree, GOAL, "provider", state=tmp_path / "state")
    assert said in ("affected: one", "affected: few", "affected: most")
    assert len(script.heard) == 3 and not [word for word in PLANTED if word in " ".join(script.heard)]
    (report,) = (tmp_path / "state" / "reports").glob("*.md")
    assert ".env" in report.read_text(), "the person reads the names"
