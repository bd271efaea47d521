"""Calls of the MCP server over standard input and output, beside a bare echo tool of the same SDK in the same run.

python -m benchmarks.mcp_calls [--calls N]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.server import MCPServer

from benchmarks.harness import scratch

SHOP = Path(__file__).parents[1] / "examples" / "shop"
AT_ONCE = 8
Call = Callable[[], Awaitable[Any]]


def echo_server() -> None:
    """Serve one tool that says what it hears."""
    made: MCPServer[Any] = MCPServer("echo", log_level="ERROR")

    @made.tool()
    def echo(text: str) -> str:
        """Say it again."""
        return text

    made.run("stdio")


async def latencies(call: Call, number: int) -> list[float]:
    """Seconds of each of so many calls, one after the other."""
    times = []
    for _ in range(number):
        started = time.perf_counter()
        await call()
        times.append(time.perf_counter() - started)
    return times


async def measured(name: str, call: Call, number: int, bare: float = 0.0, *, at_once: bool = False) -> float:
    """Print how long a call takes and, where they need not wait for each other, how many a second several at once give.

    Return the median.
    """
    await call()
    times = await latencies(call, number)
    middle, worst = statistics.median(times), sorted(times)[int(len(times) * 0.99)]
    rate = f"{1 / statistics.mean(times):7.0f}/s"
    if at_once:
        started = time.perf_counter()
        for _ in range(max(1, number // AT_ONCE)):
            await asyncio.gather(*(call() for _ in range(AT_ONCE)))
        rate += f" ({max(1, number // AT_ONCE) * AT_ONCE / (time.perf_counter() - started):.0f}/s, {AT_ONCE} at once)"
    ratio = f"  {middle / bare:.1f} x echo" if bare else ""
    print(f"{name:<16} median {middle * 1000:8.2f} ms  p99 {worst * 1000:8.2f} ms  {rate}{ratio}")
    return middle


async def compare(calls: int, state: Path) -> None:
    """Both servers, in turn."""
    config = state / "config.toml"
    config.write_text("[limits]\nturns_per_hour = 1000000\nfields_per_hour = 1000000\n")
    async with Client(
        StdioServerParameters(command=sys.executable, args=["-m", "benchmarks.mcp_calls", "--echo"])
    ) as client:
        bare = await measured("echo", lambda: client.call_tool("echo", {"text": "x" * 200}), calls, at_once=True)
    arguments = ["-m", "plantwin", "mcp", "--root", str(SHOP), "--state", str(state), "--config", str(config)]
    async with Client(StdioServerParameters(command=sys.executable, args=arguments)) as client:

        async def called(tool: str, **given: Any) -> Any:
            return (await client.call_tool(tool, given)).structured_content

        async def session() -> tuple[str, list[str]]:
            begun = await called("begin_session", goal="Is anything in here unsafe?")
            return begun["session"], [each["set_id"] for each in begun["messages"][0]["sets"]]

        id_, sets = await session()
        steps = [{"id": "s1", "capability": "measure_size", "inputs": sets}]
        await measured("read_outcomes", lambda: called("read_outcomes", session=id_), calls, bare, at_once=True)
        await measured("check_plan", lambda: called("check_plan", session=id_, steps=steps), calls, bare)
        await measured("see_budget", lambda: called("see_budget", session=id_), calls, bare)
        await called("end_session", session=id_)

        async def whole() -> None:
            one, some = await session()
            await called("submit_plan", session=one, steps=[{**steps[0], "inputs": some}])
            await called("end_session", session=one)

        times = await latencies(whole, max(3, calls // 50))
        print(
            f"a whole session (begin, one step over {len(sets)} sets, report): median {statistics.median(times):.2f} s"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--echo", action="store_true", help="be the echo server")
    options = parser.parse_args()
    if options.echo:
        echo_server()
        return
    with scratch() as state:
        asyncio.run(compare(options.calls, state))


if __name__ == "__main__":
    main()
