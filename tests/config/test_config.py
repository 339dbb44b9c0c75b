import pytest

from rewardkit.config import RunConfig, config_from, config_to_toml, load_config
from rewardkit.errors import ConfigError
from rewardkit.recipes import RECIPES

BASE = {"folder": "runs/x", "steps": 3}


def test_file_and_overrides_make_one_configuration(tmp_path):
    file = tmp_path / "run.toml"
    file.write_text(
        'folder = "a"\nsteps = 3\n[optim]\nlr = 1e-5\n[recipe]\nname = "dapo"\nminibatches = 2\n'
    )
    config = load_config(file, ["optim.lr=2e-5", "recipe.clip_high=0.3", "task.name=gsm8k"])
    assert (config.optim.lr, config.task.name) == (2e-5, "gsm8k")
    assert config.recipe.clip_high == 0.3
    assert config.recipe.clip_low == RECIPES["dapo"].clip_low  # the rest stays the recipe's


@pytest.mark.parametrize("recipe", [name for name in RECIPES if name != "dr_grpo"])
def test_what_is_written_reads_back_equal(tmp_path, recipe):
    teacher = (
        {"model": {"teacher": "large"}} if RECIPES[recipe].distils and recipe != "sdpo" else {}
    )
    config = config_from({**BASE, **teacher, "recipe": {"name": recipe, "minibatches": 1}})
    file = tmp_path / "config.toml"
    file.write_text(config_to_toml(config))
    assert load_config(file) == config


def test_shaping_terms_come_from_tables():
    terms = [{"name": "soft_overlong", "weight": 0.5, "options": {"cache": 8}}]
    config = config_from({**BASE, "recipe": {"name": "grpo", "shaping": terms}})
    assert config.recipe.shaping[0].weight == 0.5
    assert config.recipe.shaping[0].options == {"cache": 8}


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("optim.learning_rate=1", "unknown key 'learning_rate' in \\[optim\\]"),
        ("stepps=1", "did you mean steps"),
        ("recipe.name=dapoo", "unknown recipe 'dapoo'; did you mean dapo"),
        ("recipe.clip_hi=0.3", "did you mean clip_high"),
        ("steps=many", "steps must be a whole number, found 'many'"),
        ("steps=true", "steps must be a whole number, found True"),
        ("steps=0", "steps must be at least 1, found 0"),
        ("optim.lr=fast", "optim.lr must be a number"),
        ('lora.targets=["q_proj"]', "lora.targets has no effect without adapters.* lora.rank=16"),
        ("lora.targets=[q_proj, o_proj]", """--set 'lora.targets=\\["q_proj", "o_proj"\\]'$"""),
        ("lora.alpha=16", "lora.alpha has no effect without adapters"),
        ("model.device=tpu", "model.device must be auto, cpu, cuda or one GPU.*, found 'tpu'"),
        ("model.device=cuda:", "found 'cuda:'"),
        ("model.dtype=float16", "model.dtype must be one of 'auto', 'float32', 'bfloat16'"),
        ("sampling.temperature=-1", "temperature must be 0 or more"),
        ("sampling=3", "sampling must be a table"),
        ("task.args=3", "task.args must be a table, found 3"),
        ("sampling.stop=x", "sampling.stop must be a list of strings, found 'x'"),
        ("optim.betas=1", "optim.betas must be a list of numbers, found 1"),
        ("recipe.shaping=1", "recipe.shaping must be a list of tables, found 1"),
        ("recipe.name=foo", "unknown recipe 'foo'; Known: "),
        ("recipe.shaping=[{}]", r"missing recipe.shaping\[0\].name.*--set recipe.shaping.0.name="),
        ("recipe.critic_warmup=-1", "critic_warmup is a number of steps, 0 or more, found -1"),
        ("recipe.value_clip=-1", "value_clip is a width above 0, or none, found -1.0"),
        (
            "task.chat_template_kwargs.messages=3",
            "task.chat_template_kwargs.messages is not to be set",
        ),
        ("recipe.name=[1]", r"recipe.name must be a string, found \[1\]"),
        ("seed=99999999999999999999", "seed must be a whole number of 64 bits"),
        ("model.threads=1000000", "model.threads must be at most 4096, found 1000000"),
        ("optim.weight_decay=-1", "optim.weight_decay must be at least 0, found -1.0"),
        ("verl.gpu_memory=1.5", "verl.gpu_memory must be at most 1, found 1.5"),
        ("steps.x=3", "steps is not a table"),
        ("steps", "--set takes key=value"),
        ("optim.grad_clip=-1", "grad_clip must be above 0"),
        ("optim.lr=nan", "lr must be a finite number"),
        ("optim.betas=[0.9]", "betas must be two numbers"),
        ("eval.problems=0", "eval.problems must be at least 1"),
        ("checkpoint.every=-1", "checkpoint.every must be at least 0"),
        (
            "task.verifier_options.a=1",
            "task.verifier_options are those of a verifier that is named",
        ),
        ('sampling.stop=[""]', "stop holds an empty string"),
    ],
)
def test_what_cannot_be_used_is_named(override, message):
    with pytest.raises(ConfigError, match=message):
        config_from({**BASE, "recipe": {"name": "grpo"}}, [override])


@pytest.mark.parametrize(
    ("typed", "prompt"),
    [
        (r"{question}\nAnswer:", "{question}\nAnswer:"),  # a shell took the quotes away
        (r"{question}\n\n\boxed{{}}", "{question}\n\n\\boxed{{}}"),
        (r"Is $a \neq b$? \boxed{{}}", r"Is $a \neq b$? \boxed{{}}"),
        (r"\nu is {question}", r"\nu is {question}"),
        (r'"{question}\n\\neq"', "{question}\n\\neq"),  # quoted twice, it is TOML
    ],
)
def test_a_line_break_is_typed_as_in_toml(typed, prompt):
    found = config_from({**BASE, "recipe": {"name": "grpo"}}, [f"task.prompt={typed}"])
    assert found.task.prompt == prompt


def test_missing_settings_are_named():
    with pytest.raises(ConfigError, match="missing folder, steps"):
        config_from({})


def test_more_minibatches_than_groups_is_refused():
    with pytest.raises(ConfigError, match=r"sampling.problems = 8"):
        config_from({**BASE, "recipe": {"name": "dapo", "minibatches": 16}})


@pytest.mark.parametrize(("problems", "updates"), [(8, 1), (15, 1), (16, 16), (512, 16)])
def test_a_recipe_whose_own_updates_want_a_larger_batch_makes_one(problems, updates):
    run = {**BASE, "recipe": {"name": "dapo"}, "sampling": {"problems": problems}}
    assert config_from(run).recipe.minibatches == updates


def test_dr_grpo_requires_its_constant():
    with pytest.raises(ConfigError, match="constant"):
        config_from({**BASE, "recipe": {"name": "dr_grpo"}})
    config = config_from({**BASE, "recipe": {"name": "dr_grpo", "constant": 64}})
    assert config.recipe.constant == 64


def test_no_file_and_no_toml(tmp_path):
    with pytest.raises(ConfigError, match="no configuration file"):
        load_config(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("steps = = 3")
    with pytest.raises(ConfigError, match="not valid TOML"):
        load_config(tmp_path / "bad.toml")
    with pytest.raises(ConfigError, match="is a folder, not a configuration file"):
        load_config(tmp_path)
    (tmp_path / "latin.toml").write_bytes("folder = 'é'".encode("latin-1"))
    with pytest.raises(ConfigError, match="is not UTF-8"):
        load_config(tmp_path / "latin.toml")


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path):
    (tmp_path / "run.toml").write_bytes(b"\xef\xbb\xbffolder = 'run'\r\nsteps = 3\r\n")
    assert load_config(tmp_path / "run.toml").steps == 3


def test_integers_are_numbers():
    config = config_from(BASE, ["optim.lr=1"])
    assert isinstance(config.optim.lr, float)
    assert isinstance(config, RunConfig)


def test_an_absent_kl_is_written_and_read_back(tmp_path):
    config = config_from({**BASE, "recipe": {"name": "grpo", "kl": None}})
    (tmp_path / "config.toml").write_text(config_to_toml(config))
    assert load_config(tmp_path / "config.toml").recipe.kl is None
    assert config_from({**BASE, "recipe": {"name": "grpo"}}, ["recipe.kl=none"]) == config
