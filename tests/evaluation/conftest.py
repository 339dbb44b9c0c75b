from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

# importlib mode puts no test folder on the path; these helpers are loaded by their place instead.
for _name, _file in (("server", "chat_server.py"), ("calls", "calls.py")):
    _spec = importlib.util.spec_from_file_location(
        f"rewardkit_test_{_name}", Path(__file__).with_name(_file)
    )
    assert _spec is not None
    assert _spec.loader is not None
    _module = importlib.util.module_from_spec(_spec)
    sys.modules[_spec.name] = _module
    _spec.loader.exec_module(_module)


@pytest.fixture
def problems_file(tmp_path: Path) -> Path:
    path = tmp_path / "sums.jsonl"
    rows = [
        {"id": f"p{i}", "problem": f"What is 2 times 1? (form {i})", "answer": "2"}
        for i in range(6)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path
