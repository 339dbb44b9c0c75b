"""What an honest client of `rewardkit serve` notices of others that mean harm.

    python benchmarks/serve_attacked.py

Beside it, in a process of lower priority, come bodies of 16 MB, announced and in chunks, bodies of
2 MB of empty lists, 4,096 rows at a time, 200 bodies that stop after a byte, and 400 connections
that say nothing; whoever is let go comes again.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import time

import httpx

ROW = {"response": "so \\boxed{12}", "gold": "12"}
HONEST, SINGLE = 300, 20_000
HEAD = b"POST /verify HTTP/1.1\r\nHost: here\r\n"


def bodies() -> list[tuple[bytes, bytes]]:
    """Return heads and bodies of large requests."""
    big = b"[" + b"[]," * (16_000_000 // 3) + b"[]]"
    most = b"[" + b"[]," * 690_000 + b"[]]"
    rows = json.dumps([ROW] * 4096).encode()
    column = json.dumps({**ROW, "other": [[]] * 600_000}).encode()[:2_000_000]
    chunked = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    return [
        *((HEAD + b"Content-Length: %d\r\n\r\n" % len(x), x) for x in (big, most, rows, column)),
        (chunked, b"%x\r\n" % len(big) + big),
    ]


async def said(port: int, data: bytes, wait: float) -> None:
    """Connect, say something, wait until the other side ends it, and come again."""
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(data)
            await asyncio.wait_for(reader.read(), 60)
            writer.close()
        except (OSError, TimeoutError):
            pass
        await asyncio.sleep(wait)


async def attack(port: int) -> None:
    """Keep all of it up until this process is ended."""
    slow = HEAD + b"Content-Length: 1000\r\n\r\n{"
    large = [said(port, head + body, 0.2) for head, body in bodies()]
    silent = [said(port, b"", 0.5) for _ in range(400)]
    await asyncio.gather(*large, *(said(port, slow, 0.5) for _ in range(200)), *silent)


def attacker(port: int) -> None:
    """Run the attack, at a lower priority: it is the server that is measured."""
    os.nice(10)
    asyncio.run(attack(port))


def honest(url: str) -> tuple[list[float], int]:
    """Return the seconds of single requests, and how many were refused."""
    seconds: list[float] = []
    refused = 0
    with httpx.Client(timeout=60) as client:
        for _ in range(HONEST):
            started = time.perf_counter()
            found = client.post(f"{url}/verify", json=ROW)
            seconds.append(time.perf_counter() - started)
            refused += found.status_code != 200
            time.sleep(0.02)
    return seconds, refused


def memory(pid: int, name: str) -> int:
    """Return a figure of a process's status in MB."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(next(line for line in file if line.startswith(name)).split()[1]) // 1000


def shown(label: str, seconds: list[float], refused: int) -> None:
    """Print what one client met."""
    p99 = statistics.quantiles(seconds, n=100)[98]
    middle = statistics.median(seconds)
    print(f"{label}: median {1e3 * middle:.1f} ms, p99 {1e3 * p99:.1f} ms, {refused} refused")


def main() -> None:
    """Print the figures."""
    command = [sys.executable, "-m", "rewardkit", "serve", "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    url = server.stderr.readline().split()[-1]
    try:
        honest(url)
        shown("alone", *honest(url))
        other = multiprocessing.Process(target=attacker, args=(int(url.rpartition(":")[2]),))
        other.start()
        time.sleep(3)
        shown("attacked", *honest(url))
        other.terminate()
        other.join()
        print(f"most memory of the server: {memory(server.pid, 'VmHWM')} MB")
        with httpx.Client() as client:
            for number in range(SINGLE):
                if number % (SINGLE // 5) == 0:
                    print(f"after {number} single requests: {memory(server.pid, 'VmRSS')} MB")
                client.post(f"{url}/verify", json={"response": f"so {number}", "gold": "12"})
        print(f"after {SINGLE}: {memory(server.pid, 'VmRSS')} MB")
    finally:
        server.send_signal(signal.SIGTERM)
        print(f"server's exit code after SIGTERM: {server.wait(60)}")


if __name__ == "__main__":
    main()
