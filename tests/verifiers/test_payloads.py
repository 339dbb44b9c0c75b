"""Answers that are programs: none of them may run."""

import pytest

from rewardkit.verifiers import MathVerifier

RUN = "__import__('os').system('touch {path}')"
OPEN = "open('{path}','w')"
PAYLOADS = [
    OPEN,
    f"[{OPEN}]",
    f"({OPEN}, 1)",
    f"{{{OPEN}}}",
    rf"\{{{OPEN}\}}",
    f"[[{OPEN}, 1], [2, 3]]",
    rf"\begin{{pmatrix}}{OPEN}&1\\2&3\end{{pmatrix}}",
    f"Matrix([[{OPEN}]])",
    RUN,
    f"1 + {RUN}",
    rf"\frac{{{RUN}}}{{2}}",
    rf"\sqrt{{{RUN}}}",
    rf"\text{{{RUN}}}",
    f"(lambda: {OPEN})()",
    f"[x for x in [{OPEN}]]",
    "f\"{{open('{path}','w')}}\"",
    f'eval("{OPEN}")',
    "().__class__.__base__.__subclasses__()[0]({path})",
    "x.__class__.__init__.__globals__['__builtins__']['open']('{path}','w')",
    "getattr(__builtins__, 'op'+'en')('{path}','w')",
    f'sympify("{OPEN}")',
    f'S("{OPEN}")',
    f"Symbol('x').subs({{'x': {OPEN}}})",
    f'exec("{OPEN}")',
    f"{OPEN} if 1 else 0",
    rf"\int_0^1 {OPEN} dx",
    rf"\sum_{{k=1}}^{{n}} {OPEN}",
    f"x = {OPEN}",
    "$({path})`touch {path}`",
    rf"\begin{{cases}}{OPEN} & x>0 \\ 1 & x<0\end{{cases}}",
    rf"5\text{{ {OPEN} }}",
    rf"\$5\text{{ per }}{OPEN}",
    rf"]0,{OPEN}[",
    rf"(1) {OPEN}; (2) {RUN}",
    rf"{{{OPEN} \over 2}}",
    rf"3 \pmod{{{OPEN}}}",
    "(__import__('pathlib').Path('{path}')).touch()",
    "lambda: open('{path}','w')",
    "{{open('{path}','w') for _ in [0]}}",
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_payload_runs(payload, tmp_path):
    target = tmp_path / "ran"
    code = payload.replace("{path}", str(target)).replace("{{", "{").replace("}}", "}")
    verifier = MathVerifier()
    for response in (
        rf"\boxed{{{code}}}",
        code,
        f"The answer is {code}",
        f"<answer>{code}</answer>",
    ):
        for gold in ("1", "[1]", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "x+1", r"\int_0^1 x dx"):
            verifier(response, gold)
    verifier(r"\boxed{1}", code)  # the integrals above went through sympy in a worker
    assert not target.exists()
