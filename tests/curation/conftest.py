"""The server that stands in for a model, shared with the tests of the evaluation."""

import importlib.util
import sys
from pathlib import Path

NAME = "rewardkit_test_server"
if NAME not in sys.modules:
    place = Path(__file__).parents[1] / "evaluation" / "chat_server.py"
    spec = importlib.util.spec_from_file_location(NAME, place)
    sys.modules[NAME] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[NAME])
