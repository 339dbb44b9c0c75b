"""What the tests of the verl backend share; they are skipped where verl is not installed."""

import pytest

pytest.importorskip("verl", reason="verl is not installed: make test installs it")


@pytest.fixture
def quietly():
    """Importing verl warns of its own and its dependencies' deprecations; none are ours to mend."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import verl  # noqa: F401
    return warnings.catch_warnings(action="ignore")
