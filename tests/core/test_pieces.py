"""The table of pieces says what is so."""

import ast
import importlib.util
from pathlib import Path

import pytest

from rewardkit import losses
from rewardkit.advantages import ESTIMATORS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pieces():
    spec = importlib.util.spec_from_file_location("pieces", ROOT / "tools" / "pieces.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def known(pieces):
    tables = (pieces.ESTIMATORS, pieces.SURROGATES, pieces.AGGREGATIONS, pieces.KLS)
    return [*tables, pieces.DIVERGENCES, pieces.CORRECTIONS, pieces.TERMS]


def test_every_piece_is_in_it_and_no_other(pieces):
    here = (
        ESTIMATORS, losses.SURROGATES, losses.AGGREGATIONS, losses.KL_ESTIMATORS,
        losses.DIVERGENCES, losses.CORRECTIONS,
    )  # fmt: skip
    for table, names in zip(known(pieces), here, strict=False):
        assert table.keys() == names.keys()


def test_every_test_that_it_names_is_there(pieces):
    folder = ROOT / "tests" / "conformance"
    found = {
        f"{path.name}::{part.name}"
        for path in folder.glob("test_*.py")
        for part in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(part, ast.FunctionDef)
    }
    named = {
        test
        for table in known(pieces)
        for piece in table.values()
        if piece.tests != pieces.HAND
        for test in piece.tests.split()
    }
    assert named - found == set()
    # and what is named as tested against a library is known there by a name
    for table in known(pieces):
        for name, piece in table.items():
            assert ("verl" not in piece.tests) or piece.verl, name
            assert ("test_trl" not in piece.tests) or piece.trl, name


@pytest.mark.conformance
def test_verl_and_trl_know_the_names_that_it_gives_them(pieces):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        core = pytest.importorskip("verl.trainer.ppo.core_algos")
        trl = pytest.importorskip("trl.trainer.grpo_trainer")
    package = Path(core.__file__).parents[2]
    settings = "".join(p.read_text() for p in (package / "trainer" / "config").rglob("*.yaml"))
    helper = (Path(core.__file__).parent / "rollout_corr_helper.py").read_text()
    everywhere = {
        "ESTIMATORS": core.ADV_ESTIMATOR_REGISTRY,
        "SURROGATES": core.POLICY_LOSS_REGISTRY,
    }
    texts = {
        "AGGREGATIONS": Path(core.__file__).read_text(),
        "KLS": Path(core.__file__).read_text(),
        "CORRECTIONS": helper,
        "TERMS": settings,
    }
    trainers = Path(trl.__file__).parents[1]
    of_trl = "".join(
        (trainers / part).read_text()
        for part in (
            "trainer/grpo_trainer.py",
            "trainer/rloo_trainer.py",
            "experimental/gmpo/gmpo_trainer.py",
        )
    )
    for table in (*everywhere, *texts):
        for name, piece in getattr(pieces, table).items():
            theirs = piece.verl.rpartition("=")[2].rstrip("+")
            if theirs and table in everywhere:
                assert theirs in everywhere[table], name
            elif theirs:
                assert theirs in texts[table], name
            assert piece.trl in of_trl, name
