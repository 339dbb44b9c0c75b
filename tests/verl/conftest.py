"""What the tests of the verl backend share; they are skipped where verl is not installed."""

import pytest

pytest.importorskip("verl", reason="verl is not installed: make test installs it")
