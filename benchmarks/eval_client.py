"""What asking a server costs `rewardkit eval`: this tree beside another commit, in turns.

    python benchmarks/eval_client.py --against main~9

A server in a process of its own streams 32 tokens a response at 50 a second, 128 responses at a
time, then one token at once, 16 at a time. Ratios are old over new: above 1 this tree is faster.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys

from side_by_side import HERE, checkout, ratio, start

CASES = ((32, 0.02, 128, 1024), (1, 0.0, 16, 1500))
"""(tokens of a response, seconds between two, requests at a time, requests)."""
CLIENT = """
import sys, time
from rewardkit.evaluation.engines.base import DecodingSettings, EngineOptions, Request, load_engine
url, at_a_time, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
options = EngineOptions(base_url=url, concurrency=at_a_time)
engine = load_engine("openai", "m", DecodingSettings(max_tokens=64), options)
asked = [Request([{"role": "user", "content": f"q{n}"}], n) for n in range(count)]
list(engine.generate(asked[:at_a_time]))
wall, cpu = time.perf_counter(), time.process_time()
tokens = sum(response.tokens for _, response in engine.generate(asked))
print(tokens, time.perf_counter() - wall, time.process_time() - cpu)
"""


def serve(tokens: int, pause: float) -> None:
    """Stream so many tokens to whoever asks, and print the port."""
    piece = {"choices": [{"delta": {"content": "x "}, "finish_reason": None}]}
    last = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    usage = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": tokens}}
    events = [b"data: %b\n\n" % json.dumps(e).encode() for e in [piece] * tokens + [last, usage]]
    events.append(b"data: [DONE]\n\n")
    models = b'{"data": [{"id": "m"}]}'
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    )

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while asked := await reader.readuntil(b"\r\n\r\n"):
                if asked.startswith(b"GET"):
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(models))
                    writer.write(models)
                    continue
                length = re.search(rb"content-length: (\d+)", asked, re.IGNORECASE)
                await reader.readexactly(int(length[1]))  # type: ignore[index]
                writer.write(head)
                for event in events:
                    writer.write(b"%x\r\n%b\r\n" % (len(event), event))
                    await asyncio.sleep(pause)
                writer.write(b"0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(one, "127.0.0.1", 0, backlog=512)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    asyncio.run(run())


def main() -> None:
    """Run both trees in turns against each server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", default="main")
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    with checkout(given.against) as other:
        for tokens, pause, at_a_time, count in CASES:
            program = f"import eval_client; eval_client.serve({tokens}, {pause})"
            server = start(HERE / "benchmarks", program)
            url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"  # type: ignore[union-attr]
            rates: dict[str, list[float]] = {"old": [], "new": []}
            cpus: dict[str, list[float]] = {"old": [], "new": []}
            for turn in range(given.turns):
                for name in ("old", "new")[:: 1 if turn % 2 else -1]:
                    tree = other if name == "old" else HERE
                    client = start(tree, CLIENT, url, str(at_a_time), str(count))
                    found = [float(part) for part in client.communicate()[0].split()]
                    rates[name].append(found[1] / found[0])
                    cpus[name].append(found[2] / found[0])
            server.terminate()
            server.wait()
            print(
                f"{at_a_time} at a time: {1 / min(rates['new']):,.0f} tokens/s at best, "
                f"{min(cpus['new']) * 1e3:.3f} ms of a core a token; "
                f"wall {ratio(*rates.values())}, cpu {ratio(*cpus.values())}"
            )


if __name__ == "__main__":
    sys.exit(main())
