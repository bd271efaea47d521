"""Sessions for programs that await: a session runs in a thread, and the event loop goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from plantwin.events import Ended, Event, started
from plantwin.run import Run
from plantwin.session import Session


async def arun(session: Session, goal: str) -> Run:
    """Run one session about this goal, from beginning to end."""
    return await asyncio.to_thread(session.run, goal)


async def aevents(session: Session, goal: str) -> AsyncIterator[Event]:
    """Yield its events as they happen; the last one holds the run. Who stops listening stops it."""
    loop = asyncio.get_running_loop()
    happened: asyncio.Queue[Event | BaseException] = asyncio.Queue()

    def tell(event: Event | BaseException) -> None:
        loop.call_soon_threadsafe(happened.put_nowait, event)

    watcher, thread = started(lambda watching: session.run(goal, watching), tell)
    try:
        while True:
            event = await happened.get()
            if isinstance(event, BaseException):
                raise event
            yield event
            if isinstance(event, Ended):
                return
    finally:
        watcher.left.set()
        await asyncio.to_thread(thread.join)
