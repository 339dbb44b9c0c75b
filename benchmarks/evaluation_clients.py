"""Tokens a second and CPU of clients that ask one server for many responses at once.

    python benchmarks/evaluation_clients.py                            # ours alone
    python benchmarks/evaluation_clients.py --against e0af5017         # and another commit's
    python benchmarks/evaluation_clients.py --peers PYTHON --rate 40   # and others' in that Python

A stand-in server has `--slots` places, gives each response a token every 1/`--rate` seconds, and
streams where it is asked to. The clients take turns, each in a process of its own. Ours streams,
so that a long response may take its time; Inspect and lighteval (which asks through litellm in
threads) wait for whole answers; the openai SDK is told to stream. PYTHON needs openai, inspect-ai
and litellm beside it. CPU is that of the client's process, the making of its client left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from statistics import median
from typing import Any

from side_by_side import HERE, checkout, ratio, start

SERVER = """
import asyncio, json, sys
slots, rate = int(sys.argv[1]), float(sys.argv[2])
PIECE = "data: " + json.dumps({"id": "chatcmpl-1", "object": "chat.completion.chunk",
    "created": 1, "model": "m", "choices": [{"index": 0, "delta": {"content": " word"},
    "logprobs": None, "finish_reason": None}]}) + "\\n\\n"
HEAD = "HTTP/1.1 200 OK\\r\\nContent-Type: {}\\r\\n"

def chunk(text):
    return f"{len(text.encode()):x}\\r\\n{text}\\r\\n".encode()

def usage(n):
    return {"prompt_tokens": 5, "completion_tokens": n, "total_tokens": n + 5}

async def answer(reader, writer, places):
    while head := await reader.readuntil(b"\\r\\n\\r\\n"):
        lines = head.decode().split("\\r\\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        body = await reader.readexactly(int(fields.get("content-length", 0)))
        if lines[0].startswith("GET"):
            said = json.dumps({"data": [{"id": "m", "owned_by": "stand-in"}]})
            writer.write((HEAD.format("application/json")
                          + f"Content-Length: {len(said)}\\r\\n\\r\\n{said}").encode())
            continue
        asked = json.loads(body)
        n = asked.get("max_tokens") or asked["max_completion_tokens"]
        clock = asyncio.get_running_loop()
        async with places:
            began = clock.time()
            if asked.get("stream"):
                writer.write((HEAD.format("text/event-stream")
                              + "Transfer-Encoding: chunked\\r\\n\\r\\n").encode())
                piece = chunk(PIECE)
                for token in range(1, n + 1):
                    await asyncio.sleep(began + token / rate - clock.time())
                    writer.write(piece)
                last = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1,
                        "model": "m", "choices": [{"index": 0, "delta": {},
                        "finish_reason": "length"}]}
                writer.write(chunk(f"data: {json.dumps(last)}\\n\\n"))
                last |= {"choices": [], "usage": usage(n)}
                writer.write(chunk(f"data: {json.dumps(last)}\\n\\ndata: [DONE]\\n\\n"))
                writer.write(b"0\\r\\n\\r\\n")
            else:
                await asyncio.sleep(n / rate)
                said = json.dumps({"id": "chatcmpl-1", "object": "chat.completion", "created": 1,
                    "model": "m", "choices": [{"index": 0, "finish_reason": "length", "message":
                    {"role": "assistant", "content": " word" * n}}], "usage": usage(n)})
                writer.write((HEAD.format("application/json")
                              + f"Content-Length: {len(said)}\\r\\n\\r\\n{said}").encode())
            await writer.drain()

async def serve(reader, writer, places):
    try:
        await answer(reader, writer, places)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()

async def main():
    places = asyncio.Semaphore(slots)
    server = await asyncio.start_server(lambda r, w: serve(r, w, places), "127.0.0.1", 0,
                                        backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""
TIMED = """
import json, sys, time
base, responses, tokens, width = sys.argv[1], *map(int, sys.argv[2:])
def timed(ask):
    cpu, wall = time.process_time(), time.monotonic()
    drawn = ask()
    print(json.dumps({"tokens": drawn, "seconds": time.monotonic() - wall,
                      "cpu": time.process_time() - cpu}), file=standard)
standard, sys.stdout = sys.stdout, sys.stderr
"""
OURS = (
    TIMED
    + """
from rewardkit.evaluation.engines.base import DecodingSettings, EngineOptions, Request
from rewardkit.evaluation.engines.openai import OpenAIEngine
engine = OpenAIEngine("m", DecodingSettings(max_tokens=tokens, temperature=1.0),
                      EngineOptions(base_url=base, concurrency=width))
asked = [Request([{"role": "user", "content": "2+2?"}], seed) for seed in range(responses)]
timed(lambda: sum(response.tokens for _, response in engine.generate(asked)))
"""
)
"""It names what stands at the same place in every commit since this engine exists."""
PEERS = {
    "openai": TIMED
    + """
import asyncio, openai
async def ask():
    client = openai.AsyncOpenAI(base_url=base, api_key="x", max_retries=8)
    places = asyncio.Semaphore(width)
    async def one(seed):
        async with places:
            drawn = 0
            async for part in await client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "2+2?"}], max_tokens=tokens,
                seed=seed, stream=True, stream_options={"include_usage": True}):
                drawn = part.usage.completion_tokens if part.usage else drawn
            return drawn
    return sum(await asyncio.gather(*map(one, range(responses))))
timed(lambda: asyncio.run(ask()))
""",
    "inspect": TIMED
    + """
import asyncio
from inspect_ai.model import GenerateConfig, get_model
async def ask():
    model = get_model("openai-api/stand-in/m", base_url=base, api_key="x", config=GenerateConfig(
        max_tokens=tokens, max_connections=width))
    places = asyncio.Semaphore(width)
    async def one(_):
        async with places:
            return (await model.generate("2+2?")).usage.output_tokens
    return sum(await asyncio.gather(*map(one, range(responses))))
timed(lambda: asyncio.run(ask()))
""",
    "lighteval": TIMED
    + """
from concurrent.futures import ThreadPoolExecutor
import litellm
def one(seed):
    answer = litellm.completion(model="openai/m", base_url=base, api_key="x", max_tokens=tokens,
                                messages=[{"role": "user", "content": "2+2?"}], seed=seed)
    return answer.usage.completion_tokens
def ask():
    with ThreadPoolExecutor(width) as pool:
        return sum(pool.map(one, range(responses)))
timed(ask)
""",
}


def measure(options: argparse.Namespace, port: int) -> dict[str, list[dict[str, Any]]]:
    """Let the clients take turns; returns what each found in every round."""
    asked = [f"http://127.0.0.1:{port}/v1"]
    asked += [str(n) for n in (options.responses, options.tokens, options.width)]
    found: dict[str, list[dict[str, Any]]] = {}

    def note(name: str, process: subprocess.Popen[str]) -> None:
        said, _ = process.communicate()
        if process.returncode:
            raise SystemExit(f"{name} failed")
        row = json.loads(said.splitlines()[-1])
        if row["tokens"] != options.responses * options.tokens:
            raise SystemExit(f"{name}: {row['tokens']} tokens came")
        found.setdefault(name, []).append(row)

    with checkout(options.against or "HEAD") as old:
        for turn in range(options.rounds):
            trees = [("rewardkit", HERE)] + [(options.against, old)] * bool(options.against)
            for name, tree in trees if turn % 2 else trees[::-1]:
                note(name, start(tree, OURS, *asked))
            for name in PEERS if options.peers else ():
                command = [options.peers, "-W", "ignore", "-c", PEERS[name], *asked]
                note(name, subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    return found


def main() -> None:
    """Print a row for each client."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--against", help="another commit of ours")
    parser.add_argument("--peers", help="a Python that has openai, inspect-ai and litellm")
    parser.add_argument("--responses", type=int, default=512)
    parser.add_argument("--tokens", type=int, default=200, help="of each response")
    parser.add_argument("--width", type=int, default=128, help="requests kept open")
    parser.add_argument("--slots", type=int, default=256, help="of the server")
    parser.add_argument("--rate", type=float, default=40.0, help="tokens a second of a response")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    command = [sys.executable, "-c", SERVER, str(options.slots), str(options.rate)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            found = measure(options, int(server.stdout.readline()))
        finally:
            server.kill()
    print(f"{'client':<12} tokens/s  us of CPU a token  cores")
    for name, rows in found.items():
        speed = median(row["tokens"] / row["seconds"] for row in rows)
        each = median(row["cpu"] / row["tokens"] for row in rows) * 1e6
        cores = median(row["cpu"] / row["seconds"] for row in rows)
        print(f"{name:<12} {speed:8,.0f}  {each:17.1f}  {cores:5.2f}")
    if options.against:
        new, old = ([row["cpu"] for row in found[name]] for name in ("rewardkit", options.against))
        print(f"CPU, {options.against} over this tree: {ratio(old, new)}")


if __name__ == "__main__":
    main()
