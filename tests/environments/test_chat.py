"""The tokens between two turns are those of the model's own template, or the template is refused."""

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from rewardkit.environments import Chat
from rewardkit.errors import ConfigError

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
QWEN25 = (  # results of tools are in turns of the user, neighbours in one
    "{% for m in messages %}{% if m.role == 'tool' %}"
    "{% if loop.index0 == 0 or messages[loop.index0 - 1].role != 'tool' %}{{ '<|im_start|>user' }}{% endif %}"
    "{{ '\n<tool_response>\n' + m.content + '\n</tool_response>' }}"
    "{% if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{ '<|im_end|>\n' }}{% endif %}"
    "{% else %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
LLAMA3 = (
    "{{ '<|begin_of_text|>' }}{% for m in messages %}"
    "{% if m['role'] == 'tool' %}{% set role = 'ipython' %}{% else %}{% set role = m['role'] %}{% endif %}"
    "{{ '<|start_header_id|>' + role + '<|end_header_id|>\n\n' + (m['content'] | trim) + '<|eot_id|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
QWEN3 = (  # thoughts of turns before the user's last one are left out
    "{% set ns = namespace(last=0) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}"
    "{% for m in messages %}{% set c = m.content %}"
    "{% if m.role == 'assistant' and '</think>' in c and loop.index0 < ns.last %}{% set c = c.split('</think>')[-1].lstrip('\n') %}{% endif %}"
    "{% if m.role == 'tool' %}{{ '<|im_start|>user\n<tool_response>\n' + c + '\n</tool_response><|im_end|>\n' }}"
    "{% else %}{{ '<|im_start|>' + m.role + '\n' + c + '<|im_end|>\n' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
NO_TOOLS = CHATML.replace("{% for m in messages %}", "{% for m in messages if m.role != 'tool' %}")
MERGING = "{% for m in messages %}{{ m['content'] + 'ab' }}{% endfor %}{% if add_generation_prompt %}{{ '' }}{% endif %}"
SPECIAL = [
    "<|im_start|>",
    "<|im_end|>",
    "<|begin_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
]


@pytest.fixture(scope="module")
def words():
    """Byte pairs, learned from a text in which borders may merge: "A" and "ab"."""
    found = Tokenizer(models.BPE())
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    found.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=SPECIAL,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    found.train_from_iterator(["Aab Rab Qab user assistant"] * 9, trainer)
    return found


def tokenizer(words, template):
    made = PreTrainedTokenizerFast(tokenizer_object=words)
    made.chat_template = template
    return made


@pytest.mark.parametrize("role", ["user", "tool"])
@pytest.mark.parametrize("template", [CHATML, QWEN25, LLAMA3], ids=["chatml", "qwen2.5", "llama3"])
def test_what_is_put_together_is_what_the_template_makes(words, template, role):
    made = tokenizer(words, template)
    end = made.convert_tokens_to_ids("<|eot_id|>" if template == LLAMA3 else "<|im_end|>")
    asked = [{"role": "system", "content": "S"}, {"role": "user", "content": "Why ab?"}]
    ids = made.apply_chat_template(asked, add_generation_prompt=True, return_dict=False)
    chat = list(asked)
    for number, said in enumerate(["R", "two\nlines"]):
        turn = f"{number} Aab call"
        results = [{"role": role, "content": said}] * (2 if role == "tool" else 1)
        ids += [*made.encode(turn, add_special_tokens=False), end]
        ids += Chat(made, name="it").tokens(results, ids[-1])
        chat += [{"role": "assistant", "content": turn}, *results]
        whole = made.apply_chat_template(chat, add_generation_prompt=True, return_dict=False)
        assert ids == whole


def test_a_turn_that_a_text_ended_gets_its_end_from_the_template(words):
    made = tokenizer(words, CHATML)
    behind = Chat(made).tokens([{"role": "user", "content": "R"}], last=made.encode("b")[0])
    assert (
        made.decode(behind) == "<|im_end|>\n<|im_start|>user\nR<|im_end|>\n<|im_start|>assistant\n"
    )


def test_a_text_goes_on_in_the_same_turn(words):
    made = tokenizer(words, MERGING)  # no message, so nothing of the template
    assert made.decode(Chat(made).tokens("<output>1</output>", 5)) == "<output>1</output>"


@pytest.mark.parametrize(
    ("template", "role", "why"),
    [
        (QWEN3, "user", "it rewrites the turns before a message"),
        (NO_TOOLS, "tool", "it leaves the message out"),
        (MERGING, "user", "tokens merge across the border of a turn"),
        ("{% if messages | length > 2 %}{{ raise_exception('no') }}{% endif %}Q", "user", "no"),
    ],
    ids=["thoughts dropped", "no tools", "merging", "raises"],
)
def test_a_template_that_would_train_on_other_tokens_is_refused_by_name(words, template, role, why):
    made = tokenizer(words, template)
    with pytest.raises(ConfigError, match="mine.*" + role) as found:
        Chat(made, name="mine").tokens([{"role": role, "content": "R"}], 0)
    assert why in str(found.value)


def test_thoughts_stay_before_results_of_tools(words):
    made = tokenizer(words, QWEN3)
    assert Chat(made).tokens([{"role": "tool", "content": "R"}], 0)
