from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

# importlib mode puts no test folder on the path; this helper is loaded by its place instead.
_SPEC = importlib.util.spec_from_file_location(
    "rewardkit_test_server", Path(__file__).with_name("chat_server.py")
)
assert _SPEC is not None
assert _SPEC.loader is not None
chat_server = importlib.util.module_from_spec(_SPEC)
sys.modules["rewardkit_test_server"] = chat_server
_SPEC.loader.exec_module(chat_server)


@pytest.fixture
def problems_file(tmp_path: Path) -> Path:
    path = tmp_path / "sums.jsonl"
    rows = [
        {"id": f"p{i}", "problem": f"What is 2 times 1? (form {i})", "answer": "2"}
        for i in range(6)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path
