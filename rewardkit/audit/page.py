"""Findings -> audit.json, rows.jsonl and audit.html."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rewardkit.audit.findings import ROWS_FILE, Findings
from rewardkit.errors import ConfigError
from rewardkit.evaluation.pages.display import percent, span
from rewardkit.files import json_lines, make_folder, write_json, write_text
from rewardkit.pages import write_page

TEMPLATE = Path(__file__).parent / "templates" / "audit.html.j2"
JSON_FILE = "audit.json"
PAGE_FILE = "audit.html"


def write_files(findings: Findings) -> dict[str, Any]:
    """Write audit.json and rows.jsonl, and return what the first says.

    Raises:
        ConfigError: the folder cannot be written.
    """
    found, out = findings.as_json(), findings.subject.out
    make_folder(out)
    try:
        write_json(out / JSON_FILE, found)
        write_text(out / ROWS_FILE, json_lines(findings.rows()).decode("utf-8"))
    except OSError as error:
        raise ConfigError(f"{out}: cannot be written ({error.strerror or error})") from error
    return found


def write_audit_page(found: Mapping[str, Any], out: Path) -> Path:
    """Write the page of what audit.json says, and return its path.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    return write_page(
        out / PAGE_FILE,
        TEMPLATE,
        styles=["audit.css"],
        filters={"percent": percent, "span": span},
        data={},
        found=found,
    )
