"""report.html, read as text and opened in headless Chromium.

The screenshots go to tests/artefacts/.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from rewardkit_test_calls import command
from rewardkit_test_server import completion, serve

from rewardkit.cli import main

pytest.importorskip("jinja2")

HOSTILE = (
    "</script><script>document.title='hacked'</script>"
    "<img src=x onerror=\"document.title='hacked'\"><b>{{ 7*7 }}</b> & \u2028 \\boxed{2}"
)
BESIDE = " and so on, at length" * 40
LONG = "w" * 80  # a commit, say: no place to break it
ARTEFACTS = Path(__file__).parents[1] / "artefacts"


def hostile(request):
    question = request["messages"][-1]["content"]
    text = HOSTILE if "form 0" in question else "\\boxed{3}"
    if "form 4" in question and request["seed"] % 2 and "<i>b" in request["model"]:
        text = HOSTILE
    if "form 2" in question:
        text = "It is \\boxed{3}" + BESIDE
    body = completion(text, "length" if request["seed"] % 7 == 0 else "stop")
    body["choices"][0]["message"]["reasoning_content"] = HOSTILE
    return body


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two evaluations and their comparison; tests read them and never write to them."""
    folder = tmp_path_factory.mktemp("report")
    rows = [{"id": f"p{i}", "problem": f"What is 2 times 1? (form {i})"} for i in range(6)]
    rows[1]["id"] = "<script>document.title='hacked'</script>"
    problems = folder / "sums.jsonl"
    problems.write_text("\n".join(json.dumps(row | {"answer": "2"}) for row in rows))
    with serve(hostile) as server:
        for name in ("a", "b"):
            words = ("--model", f"<i>{name}</i>{LONG}", "--samples", "8", "--answer-in", "box")
            words += ("--max-tokens", "8,64,512,1024", "--system-prompt", HOSTILE)
            main(command(server, problems, folder / name, *words))
    main(["compare", str(folder / "a"), str(folder / "b")])
    return folder


def ends_of_histogram(folder):
    """Bars; where the last one ends; where the words below it begin and end, at 7 px a letter."""
    page = (folder / "report.html").read_text()
    [drawn] = re.findall(r'<svg[^>]*label="histogram of response lengths">(.*?)</svg>', page, re.S)
    bars = [int(x) for x in re.findall(r'<rect class="bar-all" x="(\d+)"', drawn)]
    [(x, anchor, words)] = re.findall(r'<text x="(\d+)" y="140" text-anchor="(\w+)">(.*?)<', drawn)
    start = int(x) - (7 * len(words) if anchor == "end" else 0)
    return len(bars), bars[-1] + 20, start, start + 7 * len(words)


def test_the_longest_response_stands_below_its_bar_and_over_nothing_else(run, tmp_path):
    bars, end, start, last = ends_of_histogram(run / "a")
    assert bars > 20
    assert (start > 20, last) == (True, end)
    problems = tmp_path / "one.jsonl"
    problems.write_text('{"problem": "?", "answer": "2"}')
    with serve(lambda request: completion("2")) as server:
        main(command(server, problems, tmp_path / "short", "--samples", "1"))
    bars, end, start, last = ends_of_histogram(tmp_path / "short")
    assert (bars, start) == (2, end + 4)
    assert last < 760


def test_hostile_text_is_escaped_and_nothing_is_requested(run):
    for page in (run / "a" / "report.html", run / "b" / "comparison.html"):
        html = page.read_text()
        assert "document.title='hacked'</script>" not in html
        assert "<img" not in html
        assert "<i>" not in html
        assert "<b>" not in html
        assert html.count("<script") == 2
        for outside in ("http://", "https://", "//cdn", "@import", "url("):
            assert outside not in html
        assert "default-src 'none'" in html


def test_without_jinja2_the_evaluation_still_ends(run, tmp_path, monkeypatch, capsys):
    shutil.copytree(run / "a", tmp_path / "a")
    monkeypatch.setitem(sys.modules, "jinja2", None)
    main(["eval", "regrade", str(tmp_path / "a"), "--workers", "1"])
    assert "rewardkit[report]" in capsys.readouterr().out


def test_the_report_works_in_a_browser(run, browser):
    page = run / "a" / "report.html"
    browser.open(page)
    cells = browser.run("document.querySelectorAll('.cell[data-key]').length")
    assert cells == 48
    assert browser.run("document.getElementById('response').hidden") is True
    browser.run("document.querySelector('.cell[data-key]').click()")
    assert browser.run("document.querySelector('#response pre').textContent") == HOSTILE
    panel = browser.run("document.getElementById('response').innerText")
    assert "graded" in panel
    assert "gold answer" in panel
    assert browser.run("document.querySelectorAll('#response pre *').length") == 0
    assert browser.run("document.querySelector('#response .reasoning').open") is False
    browser.screenshot(ARTEFACTS / "report.png")
    assert "hacked" not in browser.run("document.title")
    assert browser.complaints() == []
    assert browser.requests() == [page.as_uri()]


def test_near_misses_come_first_and_lengths_have_a_curve(run, tmp_path, browser):
    shutil.copytree(run / "a", tmp_path / "a")
    page = tmp_path / "a" / "report.html"
    browser.open(page)
    assert "near misses" not in browser.run("document.body.innerText")
    assert browser.run("document.querySelectorAll('.curve').length") == 1
    assert "the server's own" in browser.run("document.body.innerText")
    path = tmp_path / "a" / "samples.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        row["response"] = row["response"].replace(BESIDE, ". The answer is 2.")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    main(["eval", "regrade", str(tmp_path / "a"), "--workers", "1"])
    browser.open(page)
    text = browser.run("document.body.innerText")
    assert "8 near misses: look at these first" in text
    assert text.index("near misses") < text.index("95 % for these problems")
    browser.run("document.querySelector('.near-list').open = true")
    browser.run("document.querySelector('.near-list .open').click()")
    assert "p2, sample 0" in browser.run("document.querySelector('#response h3').textContent")
    assert browser.run("document.querySelectorAll('.cell.near').length") == 8


@pytest.mark.parametrize("width", [1280, 420])
def test_no_page_is_wider_than_its_window(run, browser, width):
    for page in (run / "a" / "report.html", run / "b" / "comparison.html"):
        assert browser.fits(page, width)
        opened = ".cell[data-key]" if page.name == "report.html" else ".changed > summary"
        browser.run(f"document.querySelector('{opened}').click()")
        assert browser.run("document.documentElement.scrollWidth") <= width
        browser.screenshot(ARTEFACTS / f"{page.stem}-{width}.png")
        assert browser.complaints() == []


def test_the_comparison_works_in_a_browser(run, browser):
    page = run / "b" / "comparison.html"
    browser.open(page)
    assert "No difference is shown" in browser.run("document.body.innerText")
    browser.run("document.querySelector('.changed > summary').click()")
    assert browser.run("document.querySelector('.changed').open") is True
    said = browser.run("[...document.querySelectorAll('.sides pre')].map((x) => x.textContent)")
    assert {HOSTILE, "\\boxed{3}"} <= {*said}
    assert browser.run("document.querySelectorAll('.changed pre *').length") == 0
    assert "hacked" not in browser.run("document.title")
    browser.screenshot(ARTEFACTS / "comparison.png")
    assert browser.complaints() == []
    assert browser.requests() == [page.as_uri()]
