"""A decoder for Llama, Qwen2 and Qwen3: fused weights, and prompts that a group shares.

What makes it fast on two CPU cores (on a GPU its passes go over `slots`):

- the prompt is read once for its group, and *kept* once: every step attends to the group's one
  copy of the prompt and to each row's own tokens, and joins both under one softmax;
- query, key and value are one product, gate and up another;
- prompts are read as one row of tokens without padding;
- weights are laid out once as a CPU's products read them (`model.linear`);
- a row that ends frees its place for the last one, so the cache moves by one row.

Numbers follow the trainer's passes under autocast: products in `dtype`, and the residual stream,
norms, rotations and the softmax in float32.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from rewardkit_native.model.linear import Linear

FAMILIES = ("llama", "qwen2", "qwen3")
FIRST_ROOM = 64
"""Tokens a row for which the cache has room at first; doubled when they are used up."""


def why_not_fast(model: Any) -> str | None:
    """Return why `FastDecoder` cannot decode this model, or None if it can."""
    config = model.config
    if config.model_type not in FAMILIES:
        return f"it knows {', '.join(FAMILIES)}, and this is {config.model_type}"
    if set(getattr(config, "layer_types", None) or []) - {"full_attention"}:
        return "it has no sliding-window attention"
    if getattr(config, "quantization_config", None):
        return "it has no quantised weights"
    return None


class _Layer(NamedTuple):
    norm: Tensor
    qkv: Linear
    q_norm: Tensor | None
    k_norm: Tensor | None
    out: Linear
    mlp_norm: Tensor
    gate_up: Linear
    down: Linear


Attend = Callable[[int, Tensor], Tensor]
"""(layer, queries, keys and values [N, heads + 2 KV heads, D]) -> [N, heads x D]."""


class FastDecoder:
    """The forward pass over rows of tokens, N at a time, whatever sequences they belong to.

    Of a model that is to be cut into slices it reads the structure alone: with `filled_later_on`
    the weights come with the first `refresh`, to that device.
    """

    def __init__(
        self, model: Any, dtype: torch.dtype, filled_later_on: torch.device | None = None
    ) -> None:
        from transformers.activations import ACT2FN

        config = model.config
        self.dtype = dtype
        self.device: torch.device = filled_later_on or model.device
        self.heads: int = config.num_attention_heads
        self.kv_heads: int = config.num_key_value_heads
        self.eps: float = config.rms_norm_eps
        head_dim = getattr(config, "head_dim", None)
        self.head_dim: int = head_dim or config.hidden_size // config.num_attention_heads
        self.layer_count: int = config.num_hidden_layers
        self.activation = ACT2FN[config.hidden_act]
        # transformers' own, so that every kind of rope scaling is as the trainer has it.
        self.rotary = copy.deepcopy(model.get_decoder().rotary_emb).to(self.device)
        if filled_later_on is None:
            self.refresh(model)

    @torch.no_grad()
    def refresh(self, model: Any | Mapping[str, Tensor]) -> None:
        """Take over the current weights of `model`, cast to the sampling dtype."""
        weights = model if isinstance(model, Mapping) else model.state_dict()
        # Read row by row, as the trainer does, and not cast: float32 if that is the master's.
        self.embedding = weights["model.embed_tokens.weight"].detach()
        self.norm = weights["model.norm.weight"].detach().float()
        self.head = self._head(weights)
        self.layers = [self._layer(weights, f"model.layers.{i}.") for i in range(self.layer_count)]

    def _head(self, weights: Mapping[str, Tensor]) -> Linear:
        # Looked up once, and not held on to: of a sharded model its slices are brought together.
        head = weights.get("lm_head.weight")
        return Linear.of((self.embedding if head is None else head.detach()).to(self.dtype))

    def release(self) -> None:
        """Let go of the weights: an update, which needs more memory than sampling, has its own."""
        del self.embedding, self.norm, self.head, self.layers

    def _layer(self, weights: Mapping[str, Tensor], prefix: str) -> _Layer:
        def joined(*names: str) -> Tensor | None:
            # One after the other: of a sharded model each is whole, in float32, until it is cast.
            found = (weights.get(prefix + name) for name in names)
            parts = [part.to(self.dtype) for part in found if part is not None]
            if not parts:
                return None
            return parts[0] if len(parts) == 1 else torch.cat(parts)

        def linear(*modules: str) -> Linear:
            weight = joined(*(f"{module}.weight" for module in modules))
            assert weight is not None
            return Linear.of(weight, joined(*(f"{module}.bias" for module in modules)))

        def norm(name: str) -> Any:
            found = weights.get(f"{prefix}{name}.weight")
            return None if found is None else found.float()

        return _Layer(
            norm=norm("input_layernorm"),
            qkv=linear(*(f"self_attn.{part}_proj" for part in "qkv")),
            q_norm=norm("self_attn.q_norm"),
            k_norm=norm("self_attn.k_norm"),
            out=linear("self_attn.o_proj"),
            mlp_norm=norm("post_attention_layernorm"),
            gate_up=linear("mlp.gate_proj", "mlp.up_proj"),
            down=linear("mlp.down_proj"),
        )

    def start(self, prompts: Sequence[Sequence[int]], copies: Sequence[int]) -> FastDecoding:
        """Read each prompt once for all its copies."""
        return FastDecoding(self, prompts, copies)

    def hidden_states(self, ids: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """Return the last hidden states, [N, hidden], of tokens [N] at positions [N]."""
        states = functional.embedding(ids, self.embedding).float()
        cos, sin = self.rotary(states, positions[None])
        cos, sin = cos[0, :, None], sin[0, :, None]
        half = self.head_dim // 2
        # rotate_half(x) * sin, as a roll of x times a sine of both signs.
        signed = torch.cat([-sin[..., :half], sin[..., half:]], -1)
        rotated = self.heads + self.kv_heads
        for index, layer in enumerate(self.layers):
            normed = self._norm(states, layer.norm).to(self.dtype)
            qkv = layer.qkv(normed).unflatten(-1, (-1, self.head_dim))
            qk = self._normed_heads(qkv[:, :rotated].float(), layer)
            qkv[:, :rotated] = torch.addcmul(qk * cos, qk.roll(half, -1), signed)
            attended = attend(index, qkv).to(self.dtype)
            states = states + layer.out(attended)
            normed = self._norm(states, layer.mlp_norm).to(self.dtype)
            gate, up = layer.gate_up(normed).chunk(2, -1)
            states = states + layer.down(self.activation(gate) * up)
        return self._norm(states, self.norm)

    def logits(self, states: Tensor) -> Tensor:
        """Return [N, V] for hidden states [N, hidden]."""
        return self.head(states.to(self.dtype))

    def _norm(self, states: Tensor, weight: Tensor) -> Tensor:
        return functional.rms_norm(states, weight.shape, weight, self.eps)

    def _normed_heads(self, qk: Tensor, layer: _Layer) -> Tensor:
        if layer.q_norm is None or layer.k_norm is None:
            return qk
        queries, keys = qk[:, : self.heads], qk[:, self.heads :]
        return torch.cat([self._norm(queries, layer.q_norm), self._norm(keys, layer.k_norm)], 1)


class FastDecoding:
    """The cache of one batch, and its next logits.

    Axes: U prompts, B rows, H = K x G heads (K of keys and values), P the longest prompt, D.
    """

    def __init__(
        self, decoder: FastDecoder, prompts: Sequence[Sequence[int]], copies: Sequence[int]
    ) -> None:
        self.decoder = decoder
        device = decoder.device
        self.dtype = torch.float32  # as attention runs
        lengths = [len(prompt) for prompt in prompts]
        self.prompt_bias = _padding_bias(lengths, device)
        self.prompt_cache: list[Tensor] = []  # a layer: [U, 2 K, P, D]
        states = decoder.hidden_states(
            torch.tensor([token for prompt in prompts for token in prompt], device=device),
            torch.cat([torch.arange(length, device=device) for length in lengths]),
            lambda layer, qkv: self._read_prompts(qkv, lengths),
        )
        ends = torch.tensor(lengths, device=device).cumsum(0) - 1
        owners = [index for index, count in enumerate(copies) for _ in range(count)]
        rows = torch.tensor(owners, device=device)
        self.logits = decoder.logits(states[ends])[rows]
        self.positions = torch.tensor(lengths, device=device)[rows]
        self.used = 0
        self.gaps: Tensor | None = None  # [B, used]: -inf where a row stood still
        self.cache = [
            torch.empty(
                len(owners),
                2 * decoder.kv_heads,
                FIRST_ROOM,
                decoder.head_dim,
                dtype=self.dtype,
                device=device,
            )
            for _ in decoder.layers
        ]
        self._share(owners)

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these rows; a row that keeps its place costs nothing."""
        moved = [place for place, row in enumerate(rows) if place != row]
        to = torch.tensor(moved, dtype=torch.long, device=self.positions.device)
        origin = torch.tensor([rows[i] for i in moved], dtype=torch.long, device=to.device)
        for layer, cache in enumerate(self.cache):
            cache[to, :, : self.used] = cache[origin, :, : self.used]
            self.cache[layer] = cache[: len(rows)]
        kept = torch.tensor(rows, device=to.device)
        self.positions = self.positions[kept]
        if self.gaps is not None:
            self.gaps = self.gaps[kept]
        self._share([self.owners[row] for row in rows])

    def step(self, tokens: Tensor, live: Tensor | None = None) -> None:
        """Append one token a row, [B], and compute the next logits; a row not live stands still."""
        if self.used == self.cache[0].shape[2]:
            for layer, cache in enumerate(self.cache):
                self.cache[layer] = functional.pad(cache, (0, 0, 0, self.used))
        self.used += 1
        if live is not None or self.gaps is not None:
            before = self.positions.new_zeros(len(tokens), self.used - 1, dtype=torch.float32)
            gap = before.new_zeros(len(tokens), 1)
            gap = gap if live is None else gap.masked_fill(~live[:, None], -torch.inf)
            self.gaps = torch.cat([before if self.gaps is None else self.gaps, gap], 1)
        states = self.decoder.hidden_states(tokens, self.positions, self._attend)
        self.positions = self.positions + (1 if live is None else live)
        self.logits = self.decoder.logits(states)

    def _share(self, owners: list[int]) -> None:
        """Lay the rows out beside their prompts: row i takes slot `slots[i]` of [U, widest]."""
        prompts = sorted(set(owners))
        if 2 * len(prompts) <= len(self.prompt_cache[0]):
            # Half of the prompts have no row left: let go of them.
            place = {prompt: index for index, prompt in enumerate(prompts)}
            owners = [place[owner] for owner in owners]
            self.prompt_cache = [cache[prompts] for cache in self.prompt_cache]
            if self.prompt_bias is not None:
                self.prompt_bias = self.prompt_bias[prompts]
        self.owners = owners
        self.widest = max(Counter(owners).values())
        taken: Counter[int] = Counter()
        slots = []
        for owner in owners:
            slots.append(owner * self.widest + taken[owner])
            taken[owner] += 1
        in_order = slots == list(range(len(self.prompt_cache[0]) * self.widest))
        self.slots = None if in_order else torch.tensor(slots, device=self.positions.device)

    def _read_prompts(self, qkv: Tensor, lengths: list[int]) -> Tensor:
        """Attend within each prompt, and keep its keys and values for its rows."""
        heads, kv_heads = self.decoder.heads, self.decoder.kv_heads
        attended = []
        for row in qkv.split(lengths):
            query, key, value = row.transpose(0, 1)[None].split([heads, kv_heads, kv_heads], 1)
            out = functional.scaled_dot_product_attention(
                query, key, value, is_causal=True, enable_gqa=heads != kv_heads
            )
            attended.append(out[0].transpose(0, 1).flatten(1))
        padded = torch.nn.utils.rnn.pad_sequence(
            list(qkv[:, heads:].to(self.dtype).split(lengths)), batch_first=True
        )
        self.prompt_cache.append(padded.transpose(1, 2).contiguous())
        return torch.cat(attended)

    def _attend(self, layer: int, qkv: Tensor) -> Tensor:
        """Attend to the group's prompt and to the row's own tokens, under one softmax."""
        heads, groups = self.decoder.heads, self.decoder.kv_heads
        cache = self.cache[layer]
        cache[:, :, self.used - 1] = qkv[:, heads:]
        keys, values = cache[:, :, : self.used].chunk(2, 1)
        prompt_keys, prompt_values = self.prompt_cache[layer].chunk(2, 1)
        query = qkv[:, :heads].float() * self.decoder.head_dim**-0.5
        query = query.view(len(query), groups, -1, query.shape[-1])  # [B, K, G, D]

        to_prompt = self._by_prompt(query) @ prompt_keys.transpose(-1, -2)
        if self.prompt_bias is not None:
            to_prompt = to_prompt + self.prompt_bias
        to_own = query @ keys.transpose(-1, -2)
        if self.gaps is not None:
            to_own = to_own + self.gaps[:, None, None]
        scores = torch.cat([self._by_row(to_prompt), to_own], -1)
        weights = scores.softmax(-1)
        on_prompt, on_own = weights.split([prompt_keys.shape[2], self.used], -1)
        attended: Tensor = (
            self._by_row(self._by_prompt(on_prompt) @ prompt_values) + on_own @ values
        )
        return attended.flatten(1)

    def _by_prompt(self, values: Tensor) -> Tensor:
        """[B, K, G, x] -> [U, K, widest x G, x]; slots without a row are 0."""
        if self.slots is not None:
            room = values.new_zeros(len(self.prompt_cache[0]) * self.widest, *values.shape[1:])
            room[self.slots] = values
            values = room
        _, kv_heads, groups, size = values.shape
        by_prompt = values.view(-1, self.widest, kv_heads, groups, size).transpose(1, 2)
        return by_prompt.flatten(2, 3)

    def _by_row(self, values: Tensor) -> Tensor:
        """[U, K, widest x G, x] -> [B, K, G, x]: the inverse of `_by_prompt`."""
        prompts, kv_heads, members, size = values.shape
        slots = values.view(prompts, kv_heads, self.widest, members // self.widest, size)
        rows = slots.transpose(1, 2).flatten(0, 1)
        return rows if self.slots is None else rows[self.slots]


def _padding_bias(lengths: Sequence[int], device: torch.device) -> Tensor | None:
    """Return [U, 1, 1, P]: -inf behind each prompt's end, or None if all are equally long."""
    longest = max(lengths)
    if min(lengths) == longest:
        return None
    beyond = torch.arange(longest) >= torch.tensor(lengths)[:, None]
    return torch.zeros(beyond.shape).masked_fill(beyond, -torch.inf)[:, None, None].to(device)
