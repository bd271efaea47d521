"""Every provider's dialect against a server that speaks it as the provider documents it, also when things go wrong."""

from __future__ import annotations

import json

import pytest
import servers
from servers import PLAN, Answer, receiver, sse
from told import CATALOG, FIRST, SECOND, configured, witnessed

from plantwin.cloud import transport
from plantwin.cloud.registry import Registry
from plantwin.config.settings import Settings
from plantwin.errors import InputError, PlannerError, WireError

KEY = "sk-canary-3141592653589793"
KINDS = {
    "openai": (servers.openai, "/v1/chat/completions", (100, 20)),
    "anthropic": (servers.anthropic, "/v1/messages", (40, 17)),
    "gemini": (servers.gemini, "/v1beta/models/tiny:streamGenerateContent?alt=sse", (30, 17)),
    "ollama": (servers.ollama, "/api/chat", (26, 8)),
}
BASE = {"openai": "/v1"}


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(transport, "FIRST", 0.01)
    monkeypatch.setenv("TEST_KEY", KEY)


def made(server, kind, folder=None, **entry):
    return configured(folder, kind=kind, url=server.url + BASE.get(kind, ""), key_env="TEST_KEY", **entry)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_plan_is_read_from_a_stream_and_the_conversation_is_kept(kind, tmp_path):
    answer, path, used = KINDS[kind]
    with receiver(lambda got, number: answer()) as server:
        planner = made(server, kind, tmp_path)
        assert json.loads(planner.plan(FIRST)) == PLAN
        assert json.loads(planner.plan(SECOND)) == PLAN
    first, second = server.received
    assert first.path == path
    assert KEY in " ".join(first.headers.values())
    assert KEY.encode() not in first.body
    said = json.dumps(second.tree, ensure_ascii=False)
    for envelope in (*FIRST, *SECOND):
        assert json.dumps(envelope.data.decode())[1:-1] in said
    assert json.dumps(json.dumps(PLAN))[1:-1] in said
    assert [seen[0] for seen in planner.witnessed] == [first.body, second.body]
    assert {seen[1] for seen in planner.witnessed} == {server.url}
    (use,) = Registry(Settings(), CATALOG, tmp_path).uses.all().values()
    assert (use.requests, use.input_tokens, use.output_tokens) == (2, 2 * used[0], 2 * used[1])


def test_openai_is_asked_for_the_schema_first():
    with receiver(lambda got, number: servers.openai()) as server:
        made(server, "openai", effort="low", max_tokens=500, temperature=0.0, seed=7).plan(FIRST)
    body = server.received[0].tree
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["stream"] is True
    assert (body["reasoning_effort"], body["max_tokens"], body["temperature"], body["seed"]) == ("low", 500, 0.0, 7)
    assert server.received[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_named_header_carries_the_key():
    with receiver(lambda got, number: servers.openai()) as server:
        made(server, "openai", key_header="api-key").plan(FIRST)
    assert server.received[0].headers["api-key"] == KEY
    assert "authorization" not in server.received[0].headers


def test_anthropic_and_gemini_are_asked_in_their_own_words():
    with receiver(lambda got, number: servers.anthropic()) as server:
        made(server, "anthropic", effort="medium").plan(FIRST)
    body = server.received[0].tree
    assert body["output_config"]["effort"] == "medium"
    assert body["output_config"]["format"]["type"] == "json_schema"
    assert "maxItems" not in json.dumps(body)
    assert body["max_tokens"] == 8192
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert server.received[0].headers["anthropic-version"] == "2023-06-01"
    with receiver(lambda got, number: servers.gemini()) as server:
        made(server, "gemini", max_tokens=100, seed=3, effort="low").plan(FIRST)
    config = server.received[0].tree["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    assert config["thinkingConfig"] == {"thinkingLevel": "low"}
    assert (config["maxOutputTokens"], config["seed"]) == (100, 3)
    assert KEY not in server.received[0].path


def test_ollama_makes_room_for_the_whole_conversation():
    with receiver(lambda got, number: servers.ollama()) as server:
        made(server, "ollama", effort="high").plan(FIRST)
    body = server.received[0].tree
    assert body["format"]["required"] == ["steps"]
    assert body["options"]["num_ctx"] * 3 > len(server.received[0].body) - len(json.dumps(body["format"]))
    assert body["think"] == "high"


def tool_call(got, number):
    function = {"name": "plan", "arguments": json.dumps(PLAN)}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "1", "type": "function", "function": function}],
    }
    tree = {"choices": [{"message": message, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 1}}
    return Answer([json.dumps(tree).encode()], media="application/json")


def form_of(body):
    if "tools" in body:
        return "tool"
    return body.get("response_format", {}).get("type", "text")


@pytest.mark.parametrize("status", [400, 422, 500, 501])
@pytest.mark.parametrize("works", ["json_object", "tool", "text"])
def test_a_server_that_cannot_do_a_form_is_asked_in_the_next_and_remembered(status, works, tmp_path):
    def answer(got, number):
        if form_of(got.tree) != works:
            return Answer(status=status)
        return tool_call(got, number) if works == "tool" else servers.openai()

    with receiver(answer) as server:
        assert json.loads(made(server, "openai", tmp_path).plan(FIRST)) == PLAN
        before = len(server.received)
        assert form_of(server.received[-1].tree) == works
        planner = made(server, "openai", tmp_path)
        planner.plan(FIRST)
        assert len(server.received) == before + 1
        planner.plan(SECOND)
        assert len(server.received) == before + 2


def test_a_chosen_form_is_the_only_one():
    with receiver(lambda got, number: Answer(status=400)) as server, pytest.raises(PlannerError, match="answered 400"):
        made(server, "openai", form="tool").plan(FIRST)
    assert [form_of(each.tree) for each in server.received] == ["tool"]


def test_anthropic_hands_the_plan_to_a_tool():
    with receiver(lambda got, number: servers.anthropic(tool=True, stop="tool_use")) as server:
        assert json.loads(made(server, "anthropic", form="tool").plan(FIRST)) == PLAN
    assert server.received[0].tree["tool_choice"] == {"type": "tool", "name": "plan"}


def test_gemini_calls_a_function():
    call = {
        "candidates": [
            {"content": {"parts": [{"functionCall": {"name": "plan", "args": PLAN}}]}, "finishReason": "STOP"}
        ]
    }
    with receiver(lambda got, number: Answer(sse(call))) as server:
        assert json.loads(made(server, "gemini", form="tool").plan(FIRST)) == PLAN
    assert server.received[0].tree["toolConfig"]["functionCallingConfig"]["mode"] == "ANY"


WHOLE = {
    "openai": {"choices": [{"message": {"content": json.dumps(PLAN)}, "finish_reason": "stop"}]},
    "anthropic": {
        "type": "message",
        "content": [{"type": "text", "text": json.dumps(PLAN)}],
        "stop_reason": "end_turn",
    },
    "gemini": {"candidates": [{"content": {"parts": [{"text": json.dumps(PLAN)}]}, "finishReason": "STOP"}]},
    "ollama": {"message": {"content": json.dumps(PLAN)}, "done": True, "done_reason": "stop"},
}


@pytest.mark.parametrize("kind", sorted(WHOLE))
def test_a_server_that_does_not_stream_is_understood(kind):
    answer = Answer([json.dumps(WHOLE[kind]).encode()], media="application/json; charset=utf-8")
    with receiver(lambda got, number: answer) as server:
        assert json.loads(made(server, kind).plan(FIRST)) == PLAN


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
@pytest.mark.parametrize("kind", ["anthropic", "gemini"])
def test_what_may_pass_is_tried_again_with_the_same_bytes(kind, status):
    answer = KINDS[kind][0]
    with receiver(lambda got, number: answer() if number == 1 else Answer(status=status)) as server:
        planner = made(server, kind)
        assert json.loads(planner.plan(FIRST)) == PLAN
    assert server.received[0].body == server.received[1].body
    assert len(planner.witnessed) == 2


@pytest.mark.parametrize("status", [301, 307, 308, 400, 401, 402, 403, 404, 413, 418])
def test_what_cannot_pass_is_not_tried_again(status):
    answer = Answer(status=status, headers={"Location": "/elsewhere"})
    with receiver(lambda got, number: answer) as server, pytest.raises(PlannerError, match=f"answered {status}"):
        made(server, "openai", form="text").plan(FIRST)
    assert len(server.received) == 1


def test_tries_end():
    with (
        receiver(lambda got, number: Answer(status=429, headers={"Retry-After": "0"})) as server,
        pytest.raises(PlannerError, match="429: its rate limit"),
    ):
        made(server, "anthropic", retries=2).plan(FIRST)
    assert len(server.received) == 3


def test_a_server_that_wants_a_long_pause_is_not_waited_for():
    with (
        receiver(lambda got, number: Answer(status=429, headers={"Retry-After": "3600"})) as server,
        pytest.raises(PlannerError, match="429"),
    ):
        made(server, "anthropic").plan(FIRST)
    assert len(server.received) == 1


def test_an_overload_in_the_stream_is_tried_again():
    error = {"type": "error", "error": {"type": "overloaded_error", "message": KEY}}
    with receiver(lambda got, number: servers.anthropic() if number else Answer(sse(error))) as server:
        assert json.loads(made(server, "anthropic").plan(FIRST)) == PLAN
    with (
        receiver(lambda got, number: Answer(sse({**error, "error": {"type": "invalid_request_error"}}))) as server,
        pytest.raises(PlannerError, match="reports an error"),
    ):
        made(server, "anthropic").plan(FIRST)


BROKEN = {
    "openai": lambda: servers.openai(finish=None),
    "anthropic": lambda: servers.anthropic(stop=None),
    "gemini": lambda: servers.gemini(finish=None),
    "ollama": lambda: servers.ollama(reason=None),
}


@pytest.mark.parametrize("kind", sorted(BROKEN))
def test_an_answer_that_breaks_off_is_tried_again_and_then_an_error(kind):
    with receiver(lambda got, number: BROKEN[kind]()) as server, pytest.raises(PlannerError, match="broke off"):
        made(server, kind, retries=1).plan(FIRST)
    assert len(server.received) == 2


CUT = {
    "openai": lambda: servers.openai(finish="length"),
    "anthropic": lambda: servers.anthropic(stop="max_tokens"),
    "gemini": lambda: servers.gemini(finish="MAX_TOKENS"),
    "ollama": lambda: servers.ollama(reason="length"),
}
DECLINED = {
    "openai": lambda: servers.openai(finish="content_filter"),
    "anthropic": lambda: servers.anthropic(stop="refusal"),
    "gemini": lambda: servers.gemini(finish="SAFETY"),
}


@pytest.mark.parametrize("kind", sorted(CUT))
def test_an_answer_that_was_cut_says_what_to_do(kind):
    with receiver(lambda got, number: CUT[kind]()) as server, pytest.raises(PlannerError, match="raise max_tokens"):
        made(server, kind).plan(FIRST)
    assert len(server.received) == 1


@pytest.mark.parametrize("kind", sorted(DECLINED))
def test_a_filter_is_named(kind):
    with receiver(lambda got, number: DECLINED[kind]()) as server, pytest.raises(PlannerError, match="declined"):
        made(server, kind).plan(FIRST)


def test_refusals_and_blocked_prompts_are_named():
    refusal = {"choices": [{"message": {"refusal": "I cannot"}, "finish_reason": "stop"}]}
    with (
        receiver(lambda got, number: Answer([json.dumps(refusal).encode()], media="application/json")) as server,
        pytest.raises(PlannerError, match="declined"),
    ):
        made(server, "openai").plan(FIRST)
    with (
        receiver(lambda got, number: Answer(sse({"promptFeedback": {"blockReason": "OTHER"}}))) as server,
        pytest.raises(PlannerError, match="declined"),
    ):
        made(server, "gemini").plan(FIRST)


MALFORMED = [
    b"data: {\n\n",
    b"data: [1, 2]\n\n",
    b"data: " + b"[" * 100_000 + b"\n\n",
    b'data: {"choices": 3, "usage": "x", "candidates": {}, "message": 4}\n\n',
    b'data: {"choices": [{"delta": {"content": 7, "tool_calls": "x"}}]}\n\n',
    b'data: {"choices": [{"finish_reason": {"a": 1}}], "done_reason": [], "candidates": [{"finishReason": []}]}\n\n',
    b"<html>Sign in to the hotel's network</html>",
    b"",
]


@pytest.mark.parametrize("number", range(len(MALFORMED)))
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_nonsense_is_an_error_that_quotes_nothing(kind, number):
    with receiver(lambda got, count: Answer([MALFORMED[number]])) as server, pytest.raises(PlannerError) as refused:
        made(server, kind, retries=0).plan(FIRST)
    assert "hotel" not in str(refused.value)


@pytest.mark.parametrize("kind", ["openai", "gemini", "ollama"])
def test_an_error_in_the_answer_is_not_quoted(kind):
    body = json.dumps({"error": {"message": f"the request {KEY} was"}}).encode()
    with (
        receiver(lambda got, number: Answer([body], media="application/json")) as server,
        pytest.raises(PlannerError) as refused,
    ):
        made(server, kind).plan(FIRST)
    assert KEY not in repr(refused.value)


def test_nothing_is_sent_without_a_witness_or_when_it_refuses():
    with receiver(lambda got, number: servers.openai()) as server:
        planner = Registry(Settings(), CATALOG).planner(f"{server.url}/v1#tiny")
        with pytest.raises(WireError, match="no witness"):
            planner.plan(FIRST)
        witnessed(planner)

        def refuse(*_):
            raise WireError("no room")

        planner.witness = refuse
        with pytest.raises(WireError, match="no room"):
            planner.plan(FIRST)
        assert server.received == []
        # A turn that failed leaves nothing behind in the conversation.
        witnessed(planner).plan(FIRST)
    assert len(server.received[0].tree["messages"]) == 2


def test_openrouter_and_openai_have_words_of_their_own():
    from plantwin.cloud.conversation import Conversation
    from plantwin.cloud.dialects import Form, OpenAI, Wishes

    talk = Conversation(CATALOG).hear(FIRST)
    wishes = Wishes("m", effort="high", max_tokens=9)
    body = OpenAI("openrouter").body(talk, wishes, Form.TEXT)
    assert (body["reasoning"], body["max_tokens"]) == ({"effort": "high"}, 9)
    body = OpenAI("openai").body(talk, wishes, Form.TEXT)
    assert (body["reasoning_effort"], body["max_completion_tokens"]) == ("high", 9)
    assert "max_tokens" not in body


def test_a_router_without_tools_is_asked_in_text_and_an_unknown_model_is_named_at_once():
    def answer(got, number):
        return {"tool": Answer(status=404), "text": servers.openai()}.get(form_of(got.tree), Answer(status=400))

    with receiver(answer) as server:
        assert json.loads(made(server, "openai").plan(FIRST)) == PLAN
    assert "stream_options" not in server.received[-1].tree
    with (
        receiver(lambda got, number: Answer(status=404)) as server,
        pytest.raises(PlannerError, match="know the model"),
    ):
        made(server, "openai").plan(FIRST)
    assert len(server.received) == 1


ALONE = [
    ("openai", "json_object", lambda body: body["response_format"]["type"] == "json_object"),
    ("anthropic", "text", lambda body: "output_config" not in body and "tools" not in body),
    ("gemini", "json_object", lambda body: body["generationConfig"] == {"responseMimeType": "application/json"}),
    ("gemini", "text", lambda body: "generationConfig" not in body and "tools" not in body),
    ("ollama", "json_object", lambda body: body["format"] == "json"),
    ("ollama", "text", lambda body: "format" not in body),
]


@pytest.mark.parametrize(("kind", "form", "asked"), ALONE, ids=[f"{each[0]}-{each[1]}" for each in ALONE])
def test_a_form_can_be_chosen(kind, form, asked):
    with receiver(lambda got, number: KINDS[kind][0]()) as server:
        assert json.loads(made(server, kind, form=form).plan(FIRST)) == PLAN
    assert asked(server.received[0].tree)


def test_a_form_that_a_kind_does_not_have_is_refused():
    with receiver(lambda got, number: servers.ollama()) as server, pytest.raises(InputError, match="cannot do that"):
        made(server, "ollama", form="tool").plan(FIRST)
    assert server.received == []


def test_a_whole_message_may_hold_a_tool_call():
    content = [{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "name": "plan", "input": PLAN}]
    whole = {"type": "message", "content": content, "stop_reason": "tool_use", "usage": {"input_tokens": 3}}
    with receiver(lambda got, number: Answer([json.dumps(whole).encode()], media="application/json")) as server:
        assert json.loads(made(server, "anthropic").plan(FIRST)) == PLAN
