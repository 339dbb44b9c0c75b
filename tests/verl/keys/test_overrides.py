"""What a configuration becomes in verl's words: complete, known to verl, and nothing ignored."""

import dataclasses
import functools
import tomllib

import pytest

from rewardkit.config import config_from
from rewardkit.errors import ConfigError
from rewardkit.recipes import RECIPES
from rewardkit.tasks import load_task
from rewardkit_verl import names, versions
from rewardkit_verl.backend import Ready, command_for
from rewardkit_verl.dry_run import leaves, rows
from rewardkit_verl.keys import compose
from rewardkit_verl.keys.decided import DECIDED, KEPT_SETTINGS
from rewardkit_verl.launcher.data import DataFiles
from rewardkit_verl.launcher.prepare import toml_of

pytestmark = pytest.mark.verl

IGNORED = {
    # Accepted by verl 0.9.1, and read by nothing that a run of ours reaches.
    "actor_rollout_ref.actor.grad_clip",
    "actor_rollout_ref.actor.clip_ratio",
    "actor_rollout_ref.actor.use_torch_compile",
    "algorithm.filter_groups.max_num_gen_batches",
    "trainer.balance_batch",
    "data.gen_batch_size",
    "data.truncation",
    "custom_reward_function.path",
    "reward_model.reward_manager",
}


def configured(**data):
    recipe = {"name": "grpo", **data.pop("recipe", {})}
    if recipe["name"] == "dr_grpo":
        recipe["constant"] = 32
    recipe.setdefault("minibatches", 1)
    if RECIPES[recipe["name"]].distils and recipe["name"] != "sdpo":
        data["model"] = {"teacher": "a/teacher"}
    return config_from({"folder": "runs/x", "steps": 6, "recipe": recipe, **data})


def command_of(config, monkeypatch, tmp_path, cpu=True, from_step=0, task="arithmetic"):
    monkeypatch.setenv(versions.PLATFORM, "cpu" if cpu else "")
    files = DataFiles(tmp_path / "train.parquet", tmp_path / "test.parquet", 1, 1)
    ready = Ready(load_task(task), "a/model", 100, 1 if cpu else 8)
    return command_for(config, ready, files, from_step)


def values(config, monkeypatch, tmp_path, **options):
    command = command_of(config, monkeypatch, tmp_path, **options)
    return {o.key: o.value for o in command.overrides}


@pytest.fixture(autouse=True)
def flash(monkeypatch):
    """On GPUs, flash-attention is installed unless a test says otherwise."""
    monkeypatch.setattr(versions, "has_flash", lambda: True)


@pytest.fixture(scope="module")
def plain():
    """verl's own configuration, composed once."""
    return compose.compose()


@pytest.fixture(scope="module")
def of_recipe(tmp_path_factory):
    """Return a function that gives a recipe's command, and what verl composes of it, once each."""
    folder = tmp_path_factory.mktemp("data")

    @functools.cache
    def make(name, cpu):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(versions, "has_flash", lambda: True)
            command = command_of(configured(recipe={"name": name}), patched, folder, cpu)
        return command, compose.compose(o.text for o in command.overrides)

    return make


@pytest.mark.parametrize(
    ("name", "cpu"), [*((name, False) for name in RECIPES), ("dapo", True), ("ppo", True)]
)
def test_every_key_is_verl_s_own_or_known_to_be_new(name, cpu, plain, of_recipe):
    command, composed = of_recipe(name, cpu)
    # A key below a mapping that verl leaves open (`override_config`, `env_vars`) is new.
    assert [o.text for o in command.overrides if o.new is compose.has(plain, o.key)] == []
    keys = [o.key for o in command.overrides]
    assert len(keys) == len(set(keys)), "a key is set twice"
    assert not IGNORED & set(keys)
    for override in command.overrides:
        found = compose.default(composed, override.key)
        assert found == override.value, override.key


@pytest.mark.parametrize("name", RECIPES)
def test_verl_s_own_validation_accepts_every_recipe(name, of_recipe, monkeypatch, refusal):
    monkeypatch.setenv(versions.PLATFORM, "")
    _, composed = of_recipe(name, False)
    assert refusal(compose.check, composed) is None


@pytest.mark.parametrize("name", RECIPES)
def test_every_setting_is_explained(name, plain, monkeypatch, tmp_path):
    config = configured(recipe={"name": name})
    command = command_of(config, monkeypatch, tmp_path)
    monkeypatch.setattr(compose, "compose", lambda: plain)  # which each call composes anew
    explained = list(rows(config, command))
    assert {field for field, _ in leaves(config)} <= {row[0] for row in explained}
    nothing = [row[0] for row in explained if row[2] == "-" and not row[5]]
    assert nothing == [], "becomes nothing, and nobody says why"
    assert {o.key for o in command.overrides} <= {row[2] for row in explained}
    assert set(KEPT_SETTINGS) <= {field for field, _ in leaves(config)}


def test_a_setting_s_own_value_is_explained_whole(monkeypatch, tmp_path):
    terms = [{"name": "format", "weight": 0.125}, {"name": "soft_overlong", "weight": 0.25}]
    config = configured(recipe={"name": "dapo", "shaping": terms})
    [said] = [
        row[1]
        for row in rows(config, command_of(config, monkeypatch, tmp_path))
        if row[0] == "recipe.shaping"
    ]
    assert "weight = 0.125" in said
    assert said.endswith("weight = 0.25, options = {} }]")


def test_a_dapo_run_in_verl_s_words(monkeypatch, tmp_path):
    config = configured(
        recipe={"name": "dapo", "minibatches": 4, "epochs": 2},
        sampling={"problems": 16, "group_size": 8, "max_tokens": 500, "top_k": 0},
        optim={"lr": 2e-6, "grad_clip": 0.5, "warmup_steps": 20, "tokens_per_micro_batch": 50},
        eval={"samples": 0},
        checkpoint={"every": 3, "keep": 5},
        seed=7,
    )
    found = values(config, monkeypatch, tmp_path, cpu=False)
    assert found["algorithm.adv_estimator"] == "rewardkit_grpo"
    assert found["actor_rollout_ref.actor.policy_loss.loss_mode"] == names.POLICY_LOSS
    assert found["algorithm.filter_groups.enable"] is True
    assert found["algorithm.filter_groups.metric"] == "verdict_score"
    assert found["actor_rollout_ref.actor.ppo_mini_batch_size"] == 4
    assert found["actor_rollout_ref.actor.ppo_epochs"] == 2
    assert found["actor_rollout_ref.rollout.top_k"] == -1
    assert found["actor_rollout_ref.actor.optim.clip_grad"] == 0.5
    # A sequence is never cut: 100 of the prompt and 500 of the response.
    assert found["actor_rollout_ref.actor.ppo_max_token_len_per_gpu"] == 600
    assert found["actor_rollout_ref.rollout.max_model_len"] == 600
    assert found["trainer.test_freq"] == -1
    assert found["trainer.val_before_train"] is False
    assert found["trainer.save_freq"] == 3
    assert found["actor_rollout_ref.actor.use_kl_loss"] is False
    assert found["actor_rollout_ref.rollout.name"] == "vllm"


def test_a_reference_is_loaded_where_a_kl_needs_one(monkeypatch, tmp_path):
    key = "actor_rollout_ref.actor.use_kl_loss"
    assert values(configured(recipe={"name": "grpo"}), monkeypatch, tmp_path)[key] is True
    assert values(configured(recipe={"name": "rloo"}), monkeypatch, tmp_path)[key] is True
    off = configured(recipe={"name": "grpo", "kl_coef": 0.0})
    assert values(off, monkeypatch, tmp_path)[key] is False


def test_ppo_gets_verl_s_critic(monkeypatch, tmp_path):
    found = values(configured(recipe={"name": "ppo"}), monkeypatch, tmp_path, cpu=False)
    assert found["critic.enable"] is True
    assert found["critic.model.path"] == "a/model"
    assert found["critic.strategy"] == "fsdp2"


@pytest.mark.parametrize(
    ("recipe", "engines"),
    [
        ("ppo", {"actor_rollout_ref.actor.fsdp_config", "critic.fsdp"}),
        ("grpo", {"actor_rollout_ref.actor.fsdp_config"}),
    ],
)
def test_all_that_is_trained_can_be_offloaded(recipe, engines, monkeypatch, tmp_path):
    config = configured(recipe={"name": recipe}, verl={"offload": True})
    found = values(config, monkeypatch, tmp_path, cpu=False)
    offloaded = {key for key, value in found.items() if "offload" in key and value is True}
    assert offloaded == {f"{e}.{what}_offload" for e in engines for what in ("param", "optimizer")}


def test_a_resumed_run_does_not_measure_before_again(monkeypatch, tmp_path):
    fresh = values(configured(), monkeypatch, tmp_path)
    resumed = values(configured(), monkeypatch, tmp_path, from_step=2)
    assert (fresh["trainer.resume_mode"], fresh["trainer.val_before_train"]) == ("disable", True)
    assert (resumed["trainer.resume_mode"], resumed["trainer.val_before_train"]) == ("auto", False)
    logger = "ray_kwargs.ray_init.runtime_env.env_vars.VERL_FILE_LOGGER_PATH"
    assert fresh[logger] != resumed[logger], "verl empties the file that it logs to"


def test_the_configuration_reaches_ray_as_it_is(monkeypatch, tmp_path):
    prompt = "Solve ${oc.env:HOME} and $x$:\n{question}\n\\boxed{{'it''s'}} \"quoted\" é\\"
    config = configured(task={"name": "arithmetic", "args": {"prompt": prompt}})
    command = command_of(config, monkeypatch, tmp_path)
    composed = compose.compose(o.text for o in command.overrides)
    sent = compose.default(
        composed, f"ray_kwargs.ray_init.runtime_env.env_vars.{names.CONFIG_VARIABLE}"
    )
    assert sent == command.environment[names.CONFIG_VARIABLE]
    assert config_from(tomllib.loads(sent)) == config
    assert "$" not in toml_of(config)


def test_overrides_of_the_user_s_own_are_passed_on(monkeypatch, tmp_path):
    key = "actor_rollout_ref.rollout.max_num_seqs"
    config = configured(verl={"overrides": [f"{key}=512"]})
    command = command_of(config, monkeypatch, tmp_path)
    assert compose.default(compose.compose(command.arguments[3:]), key) == 512


@pytest.mark.parametrize("word", ["trainer.logger=[console]", "+data.shuffle=True"])
def test_an_override_may_not_contradict_a_setting(word, monkeypatch, tmp_path):
    config = configured(verl={"overrides": [word]})
    with pytest.raises(ConfigError, match=r"is decided by (run folder|seed)"):
        command_of(config, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("word", "field"),
    [
        ("actor_rollout_ref.actor.entropy_coeff=0.01", "recipe.entropy_coef"),
        ("actor_rollout_ref.actor.clip_ratio_high=0.5", "recipe.clip_high"),
        ("actor_rollout_ref.actor.loss_agg_mode=token-mean", "recipe.aggregation"),
        ("actor_rollout_ref.actor.kl_loss_coef=0.5", "recipe.kl_coef"),
        ("algorithm.gamma=0.9", "recipe.advantage_options"),
        ("algorithm.lam=0.9", "recipe.advantage_options"),
        ("algorithm.use_kl_in_reward=True", "recipe.kl_in"),
        ("algorithm.rollout_correction.rollout_is=token", "recipe.correction"),
        ("algorithm.rollout_correction.bypass_mode=True", "recipe.correction and"),
        ("algorithm.filter_groups={enable:True}", "sampling.rounds"),
        ("actor_rollout_ref.model.lora_rank=8", "lora.rank"),
        ("model@actor_rollout_ref.model=hf_model", "model.name"),
        ("actor_rollout_ref.rollout.response_length =9", "sampling.max_tokens"),
    ],
)
def test_what_a_recipe_decides_is_not_accepted_and_ignored(word, field, monkeypatch, tmp_path):
    config = configured(recipe={"name": "dapo"}, verl={"overrides": [word]})
    with pytest.raises(ConfigError, match=f"is decided by {field}"):
        command_of(config, monkeypatch, tmp_path)


def test_our_agent_loop_plays_environments(monkeypatch, tmp_path):
    found = values(configured(), monkeypatch, tmp_path, task="guess_number")
    assert found["actor_rollout_ref.rollout.agent.default_agent_loop"] == names.AGENT_LOOP


@pytest.mark.parametrize(
    "word",
    [
        "actor_rollout_ref.rollout.multi_turn.enable=True",
        "+actor_rollout_ref.rollout.multi_turn={enable:True}",
        "actor_rollout_ref.rollout.agent.default_agent_loop=tool_agent",
        "data.custom_cls.path=mine.py",
    ],
)
def test_no_override_makes_another_rollout(word, monkeypatch, tmp_path):
    config = configured(verl={"overrides": [word]})
    with pytest.raises(ConfigError, match=r"what a rollout is.*run verl's own trainer with"):
        command_of(config, monkeypatch, tmp_path)


@pytest.mark.parametrize(("targets", "found"), [([], "all-linear"), (["q_proj"], ["q_proj"])])
def test_adapters_are_verl_s_own_and_merged_for_what_samples(
    targets, found, monkeypatch, tmp_path, refusal
):
    config = configured(lora={"rank": 8, "alpha": 24, "targets": targets})
    command = command_of(config, monkeypatch, tmp_path)
    composed = compose.compose(o.text for o in command.overrides)
    model = compose.default(composed, "actor_rollout_ref.model")
    assert (model["lora_rank"], model["lora_alpha"]) == (8, 24)
    assert (model["target_modules"], model["lora"]["merge"]) == (found, True)
    assert refusal(compose.check, composed) is None


def test_bypass_is_verls_own_mode(monkeypatch, tmp_path):
    found = values(configured(recipe={"name": "dapo", "bypass": True}), monkeypatch, tmp_path)
    assert found["algorithm.rollout_correction.bypass_mode"] is True


def test_what_our_settings_decide_are_keys_of_verl_s(plain):
    assert [key for key in DECIDED if not compose.has(plain, key)] == []


@pytest.mark.parametrize("name", ["lr=1e-5,b=3 (1)", "it's a{b}[1]"])
def test_a_run_folder_may_have_any_name(name, monkeypatch, tmp_path):
    config = dataclasses.replace(configured(), folder=str(tmp_path / name))
    command = command_of(config, monkeypatch, tmp_path)
    composed = compose.compose(command.arguments[3:])
    found = compose.default(composed, "trainer.default_local_dir")
    assert found == str(tmp_path / name / "verl" / "checkpoints")


def test_a_model_s_folder_is_known_to_workers_elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    key = "actor_rollout_ref.model.path"
    assert values(configured(), monkeypatch, tmp_path)[key] == "a/model"  # an id on the hub
    (tmp_path / "a" / "model").mkdir(parents=True)
    found = values(configured(), monkeypatch, tmp_path)
    assert found[key] == str(tmp_path / "a" / "model")
    folder = f"ray_kwargs.ray_init.runtime_env.env_vars.{names.FOLDER_VARIABLE}"
    assert found[folder] == str(tmp_path)


def test_a_key_that_verl_does_not_have_is_an_error():
    with pytest.raises(Exception, match=r"clip_ratoi"):
        compose.compose(["actor_rollout_ref.actor.clip_ratoi=1"])


def test_the_environment_is_a_copy_in_every_process(monkeypatch, tmp_path):
    command = command_of(configured(model={"threads": 3}), monkeypatch, tmp_path)
    for name in (names.CONFIG_VARIABLE, "VERL_USE_EXTERNAL_MODULES", "VERL_PLATFORM"):
        key = f"ray_kwargs.ray_init.runtime_env.env_vars.{name}"
        assert {o.key: o.value for o in command.overrides}[key] == command.environment[name]
    assert command.environment["OMP_NUM_THREADS"] == "3"


def test_settings_that_verl_reads_differ_between_recipes(monkeypatch, tmp_path):
    grpo = values(configured(recipe={"name": "grpo"}), monkeypatch, tmp_path)
    changed = dataclasses.replace(RECIPES["grpo"], advantage="rloo", epochs=3)
    other = values(dataclasses.replace(configured(), recipe=changed), monkeypatch, tmp_path)
    differ = {key for key in grpo if grpo[key] != other[key] and "env_vars" not in key}
    assert differ == {"algorithm.adv_estimator", "actor_rollout_ref.actor.ppo_epochs"}


@pytest.mark.parametrize(
    ("sampling", "mode"),
    [
        ({}, "processed_logprobs"),
        ({"temperature": 0.7}, "processed_logprobs"),
        ({"top_p": 0.9}, "raw_logprobs"),
        ({"top_k": 50}, "raw_logprobs"),
    ],
)
def test_log_probabilities_are_those_before_the_cut(sampling, mode, monkeypatch, tmp_path):
    found = values(configured(sampling=sampling), monkeypatch, tmp_path, cpu=False)
    assert found["actor_rollout_ref.rollout.logprobs_mode"] == mode


def test_the_critic_s_passes_hold_what_the_policy_s_do(monkeypatch, tmp_path):
    from verl.utils.config import omega_conf_to_dataclass

    config = configured(recipe={"name": "ppo"}, optim={"tokens_per_micro_batch": 5000})
    command = command_of(config, monkeypatch, tmp_path, cpu=False)
    composed = compose.compose(o.text for o in command.overrides)
    composed.critic.model = None  # it would be loaded
    read = omega_conf_to_dataclass(composed.critic)
    # verl 0.9.1, trainer/ppo/v1/trainer_base.py: both of the engine's limits come from this one.
    assert read.ppo_infer_max_token_len_per_gpu == 5000


def test_a_gpu_takes_more_tokens_at_once_and_entropies_in_chunks(monkeypatch, tmp_path):
    actor = "actor_rollout_ref.actor"
    gpu = values(configured(), monkeypatch, tmp_path, cpu=False)
    cpu = values(configured(), monkeypatch, tmp_path)
    assert gpu[f"{actor}.ppo_max_token_len_per_gpu"] == 16384
    assert cpu[f"{actor}.ppo_max_token_len_per_gpu"] == 4096
    command = command_of(configured(), monkeypatch, tmp_path, cpu=False)
    composed = compose.compose(o.text for o in command.overrides)
    key = f"{actor}.fsdp_config.entropy_from_logits_with_chunking"
    assert compose.default(composed, key) is True


def test_without_flash_attention_rows_are_padded_and_torch_attends(monkeypatch, tmp_path):
    padding, attention = (
        "actor_rollout_ref.model.use_remove_padding",
        "actor_rollout_ref.model.override_config.attn_implementation",
    )
    found = values(configured(), monkeypatch, tmp_path, cpu=False)
    assert found[padding] is True
    assert attention not in found
    monkeypatch.setattr(versions, "has_flash", lambda: False)
    found = values(configured(), monkeypatch, tmp_path, cpu=False)
    assert (found[padding], found[attention]) == (False, "sdpa")


def test_where_the_hub_is_reaches_every_process_and_a_token_no_file(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", "/data/hf")
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example")
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    command = command_of(configured(), monkeypatch, tmp_path)
    found = {o.key.rpartition(".")[2]: o.value for o in command.overrides}
    assert (found["HF_HOME"], found["HF_ENDPOINT"]) == ("/data/hf", "https://mirror.example")
    assert "hf_secret" not in command.script


@pytest.mark.parametrize(("cores", "workers", "managers"), [(1, 2, 2), (8, 4, 4), (128, 16, 8)])
def test_verifiers_take_half_of_the_cores(cores, workers, managers, monkeypatch, tmp_path):
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    assert configured().verify.processes == workers
    found = values(configured(), monkeypatch, tmp_path, cpu=False)
    assert found["reward.num_workers"] == managers
    assert configured(verify={"workers": 3}).verify.processes == 3
