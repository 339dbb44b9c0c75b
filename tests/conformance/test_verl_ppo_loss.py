"""verl's own actor loss, `ppo_loss` on jagged tensors, in any split into micro-batches."""

import copy
import warnings
from dataclasses import replace

import pytest
import torch

from rewardkit_native.model import packing
from rewardkit_native.model.logprobs import packed_scores, padded_scores
from rewardkit_native.model.sequences import Sequences

pytestmark = pytest.mark.conformance


def nested(rows):
    return torch.nested.as_nested_tensor(rows, layout=torch.jagged)


def ppo_loss(verl, batch, logp, agg, micro, **config):
    """Run verl's loss over micro-batches as its engine does; returns the sum of the losses."""
    from tensordict import TensorDict
    from verl.utils import tensordict_utils as tu
    from verl.workers.utils.losses import ppo_loss

    lengths = batch.mask.sum(-1).tolist()
    total = torch.zeros((), dtype=torch.float64)
    for start in range(0, 8, micro):
        part = range(start, start + micro)

        def cut(x, part=part):
            return nested([x[i, : lengths[i]].detach() for i in part])

        data = TensorDict(
            {
                "prompts": nested([torch.ones(1, dtype=torch.int64) for _ in part]),
                "responses": nested([torch.ones(lengths[i], dtype=torch.int64) for i in part]),
                "response_mask": nested([torch.ones(lengths[i]).double() for i in part]),
                "old_log_probs": cut(batch.old),
                "ref_log_prob": cut(batch.ref),
                "advantages": cut(batch.advantages[:, None].expand_as(batch.mask)),
            },
            batch_size=micro,
        )
        tokens = int(batch.mask.sum())
        tu.assign_non_tensor(data, dp_size=1, batch_num_tokens=tokens, global_batch_size=8)
        actor = verl.ActorConfig(
            strategy="fsdp",
            rollout_n=4,
            ppo_micro_batch_size_per_gpu=1,
            loss_agg_mode=agg,
            **config,
        )
        # Log-probabilities are shifted by one: a row is a prompt token and then the response, the
        # last entry predicts nothing.
        zero = torch.zeros(1, dtype=torch.float64)
        rows = [torch.cat([logp[i, : lengths[i]], zero]) for i in part]
        offsets = torch.tensor([0, *[len(r) for r in rows]]).cumsum(0)
        with warnings.catch_warnings():
            # torch's nested tensors call themselves a prototype
            warnings.simplefilter("ignore")
            said = {"log_probs": torch.cat(rows), "entropy": -torch.cat(rows)}
            output = {
                name: torch.nested.nested_tensor_from_jagged(values, offsets=offsets)
                for name, values in said.items()
            }
            total = total + ppo_loss(actor, output, data)[0]
    return total


@pytest.mark.parametrize("micro", [1, 2, 8])
@pytest.mark.parametrize(
    ("ours", "agg", "scale"),
    [
        ("token-mean", "token-mean", None),
        ("seq-mean-token-mean", "seq-mean-token-mean", None),
        ("seq-mean-token-sum", "seq-mean-token-sum", None),
        ("constant", "seq-mean-token-sum-norm", 20),
    ],
)
def test_loss_with_kl_in_any_split(verl, tools, batch, micro, ours, agg, scale):
    config = {
        "loss_scale_factor": scale,
        "clip_ratio_high": 0.28,
        "use_kl_loss": True,
        "kl_loss_coef": 0.05,
    }
    expected = tools.value_and_gradient(
        lambda logp: ppo_loss(verl, batch, logp, agg, micro, **config), batch
    )
    found = tools.ours(
        batch,
        micro=micro,
        aggregation=ours,
        constant=scale,
        clip_high=0.28,
        kl="k3",
        kl_coef=0.05,
        surrogate_options={"dual_clip": 3.0},
    )
    # verl's seq-mean-token-mean adds 1e-8 to each length
    tools.assert_same(found, expected, atol=3e-8 if ours == "seq-mean-token-mean" else 1e-9)


@pytest.mark.parametrize("micro", [2, 8])
@pytest.mark.parametrize(
    ("agg", "ours", "scale"),
    [("token-mean", "token-mean", None), ("seq-mean-token-sum-norm", "constant", 20)],
)
def test_entropy_bonus_in_any_split(verl, tools, batch, micro, agg, ours, scale):
    config = {"entropy_coeff": 0.05, "loss_scale_factor": scale}
    expected = tools.value_and_gradient(
        lambda logp: ppo_loss(verl, batch, logp, agg, micro, **config), batch
    )
    found = tools.ours(
        batch,
        micro=micro,
        aggregation=ours,
        constant=scale,
        entropy_coef=0.05,
        surrogate_options={"dual_clip": 3.0},
    )
    tools.assert_same(found, expected)


def test_dr_grpo_without_its_constant_becomes_grpo_as_micro_batches_shrink(verl, tools, batch):
    """verl then divides by the width of the micro-batch; here the constant has no default."""
    losses = [
        ppo_loss(verl, batch, batch.logp, "seq-mean-token-sum-norm", micro).item()
        for micro in (8, 2, 1)
    ]
    grpo = tools.ours(
        batch, aggregation="seq-mean-token-mean", surrogate_options={"dual_clip": 3.0}
    )[0].item()
    assert losses[2] == pytest.approx(grpo, rel=1e-6)
    assert abs(losses[0] - losses[2]) > 1e-3


PROMPTS = [[5, 9, 3, 7]] * 4 + [[8, 2]] * 4


@pytest.fixture(scope="module")
def llama(random_llama):
    """With half the spread, so that what rounding leaves of a gradient stays below 1e-6."""
    model = copy.deepcopy(random_llama)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                parameter.mul_(0.5)
    return model


def by_verl(model, prompts, responses):
    """Log-probabilities as verl has them: the model's logits, through verl's own function."""
    from verl.utils.torch_functional import logprobs_from_logits

    width = max(map(len, responses))
    found = []
    for prompt, response in zip(prompts, responses, strict=True):
        logits = model(input_ids=torch.tensor([prompt + response])).logits[0, len(prompt) - 1 : -1]
        row = logprobs_from_logits(logits, torch.tensor(response))
        found.append(torch.nn.functional.pad(row, (0, width - len(row))))
    return torch.stack(found)


def taken_gradient(model):
    found = torch.cat([parameter.grad.flatten() for parameter in model.parameters()])
    model.zero_grad()
    return found


@pytest.mark.parametrize("agg", ["token-mean", "seq-mean-token-mean"])
def test_gradients_of_weights_packed_padded_and_by_verl(verl, tools, llama, agg, monkeypatch):
    """All of the way in float32: passes, log-probabilities, clipped loss with a KL, backward."""
    draw = torch.Generator().manual_seed(1)
    made = tools.Batch.of(0)
    lengths = made.mask.sum(-1).tolist()
    responses = [torch.randint(2, 40, (n,), generator=draw).tolist() for n in lengths]
    config = {"use_kl_loss": True, "kl_loss_coef": 0.05, "clip_ratio_high": 0.28}

    logp = by_verl(llama, PROMPTS, responses)
    values = {n: v.float() if v.is_floating_point() else v for n, v in vars(made).items()}
    batch = replace(made, **values | {"logp": logp.detach()})
    batch = replace(batch, old=batch.logp + 0.3 * batch.old, ref=batch.logp + 0.1 * batch.ref)
    ppo_loss(verl, batch, logp, agg, 2, **config).backward()
    expected = taken_gradient(llama)

    def ours(score):
        logp = score(llama, PROMPTS, responses).logprobs
        _, slope = tools.ours(
            replace(batch, logp=logp.detach()),
            micro=2,
            aggregation=agg,
            clip_high=0.28,
            kl="k3",
            kl_coef=0.05,
            surrogate_options={"dual_clip": 3.0},
        )
        logp.backward(slope)
        return taken_gradient(llama)

    found = {"padded": ours(padded_scores), "packed": ours(packed_scores)}
    monkeypatch.setattr(packing, "attention_on", lambda _, *lengths: Sequences.of_lengths(*lengths))
    found["packed as on a GPU"] = ours(packed_scores)
    for name, gradient in found.items():
        assert (gradient - expected).norm() / expected.norm() <= 1e-6, name
