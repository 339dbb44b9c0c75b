"""Every setting is listed with its type, default and meaning."""

import dataclasses

import pytest

from rewardkit.cli import main
from rewardkit.config import RunConfig, config_from
from rewardkit.config.reference import ADVANCED, look_up, sections
from rewardkit.errors import ConfigError
from rewardkit.shaping import TERMS
from rewardkit.shaping.reference import described_terms

SETTINGS = {one.key: one for section in sections() for one in section.settings}


def keys_of(config, prefix=""):
    for f in dataclasses.fields(config):
        value = getattr(config, f.name)
        if dataclasses.is_dataclass(value):
            yield from keys_of(value, f"{prefix}{f.name}.")
        elif not (isinstance(value, tuple) and value and dataclasses.is_dataclass(value[0])):
            yield prefix + f.name


def test_every_setting_of_a_run_is_listed_with_a_meaning():
    assert set(keys_of(RunConfig("run", 1))) - set(SETTINGS) == {"tasks", "recipe.shaping"}
    assert {"tasks.N.weight", "recipe.shaping.N.options"} <= set(SETTINGS)
    assert [one.key for one in SETTINGS.values() if not one.meaning] == []


def test_most_settings_are_the_usual_ones():
    named = {f"{section}.{name}" for section, names in ADVANCED.items() for name in names.split()}
    assert named <= set(SETTINGS)
    assert sum(not one.advanced for one in SETTINGS.values()) <= 110


def test_defaults_are_those_of_a_run():
    run = {"folder": "run", "steps": 1}
    plain = config_from(run)
    given = [
        f"{one.key}={one.default}"
        for one in SETTINGS.values()
        if one.default and ".N." not in one.key and not one.key.startswith("recipe.")
    ]
    assert config_from(run, given) == plain


@pytest.mark.parametrize(
    ("key", "type", "default"),
    [
        ("folder", "text", ""),
        ("seed", "whole number", "0"),
        ("model.dtype", '"auto" | "float32" | "bfloat16"', '"auto"'),
        ("optim.betas", "list of number", "[0.9, 0.95]"),
        ("task.columns", "table", "{}"),
        ("sampling.curriculum.retire", 'number | "none"', '"none"'),
        ("recipe.filter_groups", "true | false | text", "false"),
        ("verl.overrides", "list of text", "[]"),
    ],
)
def test_types_and_defaults_are_written_as_in_toml(key, type, default):
    assert (SETTINGS[key].type, SETTINGS[key].default) == (type, default)


def test_a_name_is_found_by_section_key_or_last_part():
    assert [s.name for s in look_up("sampling")][:2] == ["sampling", "sampling.curriculum"]
    assert [s.settings[0].key for s in look_up("rule")] == [
        "sampling.curriculum.rule",
        "sampling.sizes.rule",
    ]
    [found] = look_up("optim.lr")
    assert [one.key for one in found.settings] == ["optim.lr"]


def test_an_unknown_one_names_its_nearest():
    with pytest.raises(ConfigError, match=r"did you mean recipe\.clip_high"):
        look_up("clip_hgh")
    with pytest.raises(ConfigError, match=r"did you mean optim\.lr\?"):
        look_up("optim.learning_rate")
    with pytest.raises(ConfigError, match="no setting 'qqq'; `rewardkit config` lists"):
        look_up("qqq")


def test_the_command_prints_them(capsys):
    main(["config"])
    assert "[sampling.curriculum]" in capsys.readouterr().out
    main(["config", "--help", "group_size"])
    said = capsys.readouterr().out
    assert "sampling.group_size (whole number; default: 8)" in said
    assert "Rollouts of each problem." in said


def test_shaping_terms_are_listed_with_their_options(capsys):
    assert look_up("recipe.shaping.0.options") == look_up("recipe.shaping.N.options")
    main(["config", "recipe.shaping"])
    said = capsys.readouterr().out
    assert all(f"\n{name} " in said for name in TERMS)
    assert "cache_share (default: 0.2): c as a share of the limit" in said
    assert "easy (must be given): " in said
    assert "at_most (default: false): " in said
    assert all(one.meaning for term in described_terms() for one in term.options)


def test_a_run_is_explained_without_verl(tmp_path, capsys):
    file = tmp_path / "run.toml"
    file.write_text(
        'folder = "x"\nsteps = 3\n[recipe]\nname = "dapo"\nclip_high = 0.3\n[sampling]\nproblems = 16\n'
    )
    main(["train", str(file), "--explain"])
    lines = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines()}
    assert lines["recipe.clip_high"][1:5] == ["0.3", "(default:", "0.28)", "How"]
    assert lines["recipe.filter_groups"][1:3] == ["true", "Dynamic"]
    assert lines["steps"][1:3] == ["3", "Batches"]
    assert set(keys_of(RunConfig("run", 1))) - set(lines) == set()


def test_every_shaping_term_and_task_is_explained_whole(tmp_path, capsys):
    file = tmp_path / "run.toml"
    file.write_text(
        'folder = "x"\nsteps = 3\n[recipe]\nname = "dapo"\n'
        'shaping = [{ name = "iso:shorter", weight = 0.1, options = { most = 2 } }, '
        '{ name = "format" }]\n[[tasks]]\nname = "gsm8k"\nweight = 2.0\n[sampling]\nproblems = 16\n'
    )
    main(["train", str(file), "--explain"])
    [shaping, tasks] = [
        line.split(maxsplit=1)[1]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith(("recipe.shaping ", "tasks "))
    ]
    assert shaping.startswith(
        '[{ name = "iso:shorter", weight = 0.1, options = { most = 2 } }, '
        '{ name = "format", weight = 1.0, options = {} }] (default: [{ name = "soft_overlong", '
    )
    assert tasks.startswith('[{ name = "gsm8k", ')
    assert "weight = 2.0" in tasks
