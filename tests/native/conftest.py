import json
import os
import subprocess
import sys

import pytest
import torch

from rewardkit.config import config_from
from rewardkit_native.learning.update import Updater
from rewardkit_native.loop import train
from rewardkit_native.model.logprobs import packed_scores
from rewardkit_native.model.sequences import flash


@pytest.fixture(autouse=True)
def draw_curves(monkeypatch):
    """Let runs in this process draw no picture, which takes longer than they do; the real one."""
    from rewardkit_native import loop

    drawing = loop.draw_if_possible
    monkeypatch.setattr(loop, "draw_if_possible", lambda folder, remark: None)
    return drawing


@pytest.fixture(autouse=True)
def estimate(monkeypatch):
    """Let runs in this process say nothing of how long they take; the real one.

    It draws responses, and tests count those, or plant what draws them.
    """
    from rewardkit_native import loop

    trying = loop.estimate
    monkeypatch.setattr(loop, "estimate", lambda *_: None)
    return trying


@pytest.fixture
def configure(tiny_model, tmp_path):
    """Return a small run's configuration, with sections changed, then overrides."""

    def make(*overrides, **sections):
        data = {
            "folder": str(tmp_path / "run"),
            "steps": 2,
            "model": {"name": str(tiny_model), "dtype": "float32"},
            "task": {"name": "arithmetic", "args": {"operations": ["+"], "train_size": 12}},
            "recipe": {"name": "grpo", "kl_coef": 0.0},
            "sampling": {"problems": 4, "group_size": 8, "max_tokens": 12},
            "optim": {"lr": 1e-3},
            "eval": {"samples": 0},
            "verify": {"workers": 1},
        }
        return config_from({**data, **sections}, overrides)

    return make


@pytest.fixture
def busy():
    """Two processes that burn CPU meanwhile: sums that threads race for come out otherwise then."""
    burning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    yield
    for process in burning:
        process.kill()
        process.wait()


@pytest.fixture
def climb(monkeypatch):
    """Return a function that makes one step and compares what it did with what it promised.

    The first step of AdamW moves each weight by lr against the sign of its gradient, so the
    objective (advantage times log-probability, weighted, of the responses drawn) must climb by lr
    times the sum of |gradient|, but for what the gradient changes on so short a way. Of 40 seeds,
    with 8 tiny models and steps of 1e-6, the ratio was .9994 ± .0014, and from .996 to 1.004.
    """

    def objective(updater, batch, plan):
        with torch.no_grad():
            scores = packed_scores(updater.model, batch.prompts, batch.responses).logprobs
        each = (scores * plan.mask).double().sum(1)
        return float((plan.weights * plan.advantages * each).sum())

    def measure(config):
        slopes, heights = [], []
        original = Updater.run

        def size(optimiser, *_):
            parameters = [p for group in optimiser.param_groups for p in group["params"]]
            slopes.append(sum(float(p.grad.double().abs().sum()) for p in parameters))

        def watched(updater, batch, plan, **options):
            hook = updater.optimiser.register_step_pre_hook(size)
            heights.append(objective(updater, batch, plan))
            found = original(updater, batch, plan, **options)
            heights.append(objective(updater, batch, plan))
            hook.remove()
            return found

        with monkeypatch.context() as patched:
            patched.setattr(Updater, "run", watched)
            train(config)
        return (heights[1] - heights[0]) / (config.optim.lr * slopes[0])

    return measure


class Letters:
    """The least of a tokenizer: token n is the n-th letter."""

    eos_token_id = 1

    def __init__(self, known=1000):
        self.known = known

    def get_vocab(self):
        return {chr(96 + i): i for i in range(self.known)}

    def decode(self, ids, skip_special_tokens=True):
        return "".join(chr(96 + i) for i in ids if i > 1 or not skip_special_tokens)

    def batch_decode(self, rows, skip_special_tokens=True):
        return [self.decode(row, skip_special_tokens) for row in rows.tolist()]


@pytest.fixture
def letters():
    return Letters()


NURSERY = """
import json, os, resource, signal, sys, time
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM
import rewardkit_native.loop
from rewardkit.cli import main
from rewardkit.tasks import load_task

load_task("arithmetic")  # its verifier as well: no child has to import it again
rewardkit_native.loop.draw_if_possible = lambda folder, remark: None

for line in sys.stdin:
    order = json.loads(line)
    pid = os.fork()
    if pid == 0:
        for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY | os.O_APPEND | os.O_CREAT)):
            os.dup2(os.open(os.devnull if number == 0 else order["log"], mode), number)
        os.dup2(1, 2)
        torch.set_num_threads(1)
        if order["disk_s"]:
            fsync = os.fsync
            os.fsync = lambda file: (fsync(file), time.sleep(order["disk_s"]))
        if order["most_bytes"]:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (order["most_bytes"],) * 2)
        status = 1
        try:
            main(["train", *order["arguments"]])
            status = 0
        except SystemExit as end:
            status = end.code or 0
        finally:
            os._exit(status)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


class Nursery:
    """Starts trainings, one at a time, and tells how each ended.

    Each is a process of its own, forked from one that has imported torch already, so that a start
    costs a second and not five. What they say is appended to `log`.
    """

    def __init__(self, log):
        self.log = log
        path = os.pathsep.join(p for p in sys.path if p)
        self.process = subprocess.Popen(
            [sys.executable, "-c", NURSERY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        )

    def start(self, *arguments, disk_s=0.0, most_bytes=0):
        """Start a training on a slow disk, or where no file may grow beyond so many bytes."""
        order = {
            "arguments": arguments,
            "disk_s": disk_s,
            "most_bytes": most_bytes,
            "log": str(self.log),
        }
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def ended(self):
        """Wait for the end of the training, and return its exit status."""
        return int(self.process.stdout.readline())

    def finish(self, *arguments):
        self.start(*arguments)
        status = self.ended()
        assert status == 0, self.log.read_text()[-2000:]


@pytest.fixture(scope="session")
def nursery(tmp_path_factory):
    nursery = Nursery(tmp_path_factory.mktemp("nursery") / "log")
    yield nursery
    nursery.process.communicate()


@pytest.fixture
def set_torchs_kernel(monkeypatch):
    """Return a function that puts another version's attention over sequences in torch's place."""
    from torch.nn.attention import varlen

    def put(kernel):
        monkeypatch.setattr(varlen, "varlen_attn", kernel)
        flash.cache_clear()

    yield put
    monkeypatch.undo()
    flash.cache_clear()
