"""vLLM as far as an engine's process calls it: answers by rule, and dies when it is told to."""

import json
import os
import signal
import time
from pathlib import Path
from types import SimpleNamespace


class SamplingParams(SimpleNamespace):
    pass


KNOWN = {
    "model", "dtype", "seed", "tensor_parallel_size", "max_model_len", "enable_prefix_caching",
    "enable_chunked_prefill", "enforce_eager", "kv_cache_memory_bytes",
}  # fmt: skip


class LLM:
    def __init__(self, max_num_seqs=2, poison=None, dies_after=None, **arguments):
        if unknown := arguments.keys() - KNOWN:
            raise TypeError(f"unexpected keyword {min(unknown)}")
        if arguments.get("model") == "broken":
            raise ValueError("no such architecture")
        if record := os.environ.get("FAKE_RECORD"):
            with Path(record).open("a") as file:
                file.write(json.dumps(arguments | {"max_num_seqs": max_num_seqs}) + "\n")
        self.llm_engine = self
        scheduler = SimpleNamespace(max_num_seqs=max_num_seqs)
        self.vllm_config = SimpleNamespace(scheduler_config=scheduler)
        self.poison, self.requests, self.answered = poison, [], 0
        # One of several that are made alike dies: that whose environment says so.
        self.dies_after = dies_after if os.environ.get("FAKE_DIES") else None

    def add_request(self, name, prompt, params):
        ids = prompt["prompt_token_ids"]
        if self.poison in ids:
            raise ValueError("too long")
        self.requests.append((name, ids, params))

    def has_unfinished_requests(self):
        return bool(self.requests)

    def step(self):
        if (told := os.environ.get("FAKE_TELLS")) and self.dies_after in (None, self.answered):
            Path(told).touch()
        if awaited := os.environ.get("FAKE_AWAITS"):
            while not Path(awaited).exists():
                time.sleep(0.01)
        if self.answered == self.dies_after and "FAKE_HANGS" in os.environ:
            os.write(2, b"NCCL WARN waiting\n")
            time.sleep(3600)
        if self.answered == self.dies_after:
            os.write(2, b"CUDA out of memory\nnanobind: leaked 4 instances!\n")
            os.kill(os.getpid(), signal.SIGKILL)
        self.answered += 1
        name, ids, params = self.requests.pop(0)
        text = json.dumps([sum(ids), params.seed, os.environ.get("FAKE_NAME", "")])
        best = SimpleNamespace(text=text, token_ids=ids, finish_reason="stop")
        return [SimpleNamespace(request_id=name, outputs=[best], finished=True)]
