"""Send the same quote many times at once, to show the leak. Usage: hammer.py URL [N]"""

import asyncio
import sys
import time

import aiohttp

BODY = {"tariff": "SE-2024-Q1", "items": [{"sku": "A-100", "qty": 4}]}


async def one(session: aiohttp.ClientSession, url: str, number: int) -> None:
    began = time.perf_counter()
    async with session.post(url, json=BODY) as answer:
        await answer.read()
        print(number, answer.status, f"{time.perf_counter() - began:.2f}s")


async def main(url: str, count: int) -> None:
    async with aiohttp.ClientSession() as session:
        await asyncio.gather(*(one(session, url, number) for number in range(count)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20))
