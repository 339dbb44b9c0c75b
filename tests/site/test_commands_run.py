"""The commands of README and docs that end within seconds run as they stand, in a folder with data."""

import importlib.util
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from rewardkit.cli import main

spec = importlib.util.spec_from_file_location("commands", Path(__file__).with_name("commands.py"))
pages = importlib.util.module_from_spec(spec)
sys.modules["commands"] = pages
spec.loader.exec_module(pages)

pytestmark = [
    pytest.mark.tutorials,
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore"),
]

NOT_HERE = {
    r"gsm8k|math500|aime\d\d|hf:|deepscaler": "reads the hub",
    r"--engine openai|JUDGE_BASE_URL": "asks a server; tests/evaluation/engines and tests/verifiers do",
    r"vllm|--data-parallel": "needs vLLM; make test-vllm",
    r"qwen2.5-7b_dapo": "reads data that is fetched first; tests/verl/test_examples.py makes some",
    r"smollm2-135m|examples/arithmetic_dapo.toml": "minutes; make tutorials and make demo",
    r"--backend verl$|arithmetic_cpu": "minutes; tests/verl trains so",
    r"^push": "writes to a hub; tests/core/test_push.py does",
    r"steps=500": "500 steps",
    r"--model (M|m|my-model)\b|MODEL_A": "a name in the place of yours",
    r"^serve": "goes on until it is ended; tests/serving",
    r"lora\.rank": "tests/native trains adapters",
}
"""What is not run here -> why, and what runs it. All else is."""


def commands():
    """Yield the commands of the pages' blocks that are run."""
    for command in pages.everywhere():
        words = command.words
        if command.inline or words[0] != "rewardkit":
            continue
        asked = command.text.replace("rewardkit ", "", 1)
        if not any(re.search(one, asked) for one in NOT_HERE):
            yield command


def write(file, rows):
    Path(file).write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tiny_model):
    """A folder with the files that the pages speak of: runs, evaluations, data, a verifier."""
    folder = tmp_path_factory.mktemp("place")
    patch = pytest.MonkeyPatch()
    patch.chdir(folder)
    (folder / "examples").symlink_to(pages.ROOT / "examples")
    (folder / "run.toml").write_text(
        'folder = "runs/run"\nsteps = 1\n'
        f'model = {{ name = "{tiny_model}", dtype = "float32" }}\n'
        'task = { name = "arithmetic" }\nrecipe = { name = "grpo" }\n'
        "sampling = { problems = 2, group_size = 4, max_tokens = 8 }\n"
        "eval = { samples = 1, problems = 2 }\nverify = { workers = 1 }\ncheckpoint = { every = 1 }\n"
    )
    for name in ("demo", "a", "b", "train"):
        main(
            ["train", "run.toml", "--set", f"folder=runs/{name}", "--set", "sampling.temperature=1"]
        )
    for name in "abcABC":
        write(
            "problems.jsonl",
            [{"problem": f"What is 2 + {n}?", "answer": str(2 + n)} for n in range(4)],
        )
        main([
            "eval", "--model", "runs/train", "--task", "file:problems.jsonl", "--samples", "2",
            "--max-tokens", "8", "--seed", "1" if name in "cC" else "0", "--run-dir", f"evals/{name}",
        ])  # fmt: skip
    main([
        "eval", "--model", "runs/train", "--task", "file:problems.jsonl", "--samples", "2",
        "--max-tokens", "8", "--run-dir", "eval-runs/runs-train",
    ])  # fmt: skip
    rows = [
        {
            "problem": str(n),
            "gold": str(n),
            "response": f"It is \\boxed{{{n + n % 2}}}",
            "label": n % 2 == 0,
        }
        for n in range(6)
    ]
    for name in ("graded", "cases", "outputs"):
        write(f"{name}.jsonl", rows)
    write("rows.jsonl", [{"problem": "What is 1 + 1?", "solution": "2"}])
    write("odd.jsonl", [{"Q": "What is 1 + 1?", "A": "2"}])
    write("prices.jsonl", [{"problem": "What is 2 x 2 EUR?", "answer": "4", "worked": "{4} EUR"}])
    (folder / "mine.py").write_text(
        "def reward(response: str, answer: str) -> bool:\n    return f'{{{answer}}}' in response\n"
    )
    import pyarrow
    import pyarrow.parquet

    table = {
        "completion": [row["response"] for row in rows],
        "answer": [row["gold"] for row in rows],
    }
    pyarrow.parquet.write_table(pyarrow.table(table), "responses.parquet")
    yield folder
    patch.undo()


@pytest.mark.parametrize("command", list(commands()), ids=str)
def test_a_command_runs_as_it_stands(command, folder, capsys):
    shutil.rmtree("runs/run", ignore_errors=True)  # what another command of run.toml left
    try:
        main(command.words[1:])
        status = 0
    except SystemExit as left:
        status = left.code or 0
    # 1: an audit or a check that found something, as it should
    finds = command.words[1] == "audit" or command.words[1:3] == ["tasks", "check"]
    assert status == 0 or (status == 1 and finds), capsys.readouterr().err
