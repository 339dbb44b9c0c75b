"""HTML pages that hold everything, ask nobody for anything, and run no model text.

Model output is hostile. It reaches a page in two ways only: through Jinja with autoescape, and as
JSON in a data block whose `<`, `>` and `&` are escaped, which the page's script writes with
`textContent`. A content security policy names that one script and one style sheet by their hashes
and forbids all requests.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rewardkit.errors import MissingExtraError
from rewardkit.files import write_text

SHARED = Path(__file__).parent
"""What all pages share: the frame, and the style of text, tables and outcomes."""


def write_page(
    path: Path,
    template: Path,
    *,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    filters: dict[str, Callable[..., str]] | None = None,
    data: Any,
    **values: Any,
) -> Path:
    """Render one of our templates into a page that needs nothing else; returns its path.

    Args:
        path: the page to write, whole or not at all.
        template: the template; `styles` and `scripts` are files beside it.
        styles: style sheets, after the shared one.
        scripts: scripts, run as one.
        filters: what the template calls on values.
        data: what the script reads from the element `data`; anything that JSON can say.
        values: what the template reads.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup
    except ModuleNotFoundError as error:
        raise MissingExtraError("jinja2", "report") from error
    environment = Environment(
        loader=FileSystemLoader([template.parent, SHARED]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(filters or {})
    environment.filters["block"] = lambda value: Markup(json_block(value))
    style = _joined(SHARED / "base.css", *(template.parent / name for name in styles))
    script = _joined(*(template.parent / name for name in scripts))
    html = environment.get_template(template.name).render(
        style=Markup(style),
        style_hash=_digest(style),
        script=Markup(script),
        script_hash=_digest(script),
        data=data,
        **values,
    )
    write_text(path, html, errors="replace")  # a lone surrogate in a response has no UTF-8 form
    return path


def json_block(value: Any) -> str:
    """Return JSON that cannot end the script element it stands in, whatever the texts say.

    >>> json_block({"text": "</script>"})
    '{"text":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def shorten(text: str, longest: int, whole: str) -> str:
    """Return a text of at most about `longest` characters: its middle goes, and that is said.

    >>> shorten("abcdefgh", 4, "samples.jsonl has them")
    'ab\\n\\n[... 4 characters left out here; samples.jsonl has them ...]\\n\\ngh'
    """
    if len(text) <= longest:
        return text
    half = longest // 2
    left_out = len(text) - 2 * half
    return (
        f"{text[:half]}\n\n[... {left_out} characters left out here; {whole} ...]\n\n{text[-half:]}"
    )


def duration(seconds: float) -> str:
    """Return seconds as a person says them.

    >>> duration(59.6), duration(3700), duration(8)
    ('1 min 00 s', '1 h 01 min', '8 s')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def _joined(*files: Path) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
