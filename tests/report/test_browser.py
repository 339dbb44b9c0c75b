"""report.html in headless Chromium; the screenshots go to tests/artefacts/."""

import json
from pathlib import Path

import pytest

from report_pages import charts, report  # isort: skip

pytest.importorskip("jinja2")

ARTEFACTS = Path(__file__).parents[1] / "artefacts"
HOSTILE_START = "</script><script>document.title='hacked'</script><img"


def text(browser, selector):
    return browser.run(f"document.querySelector({json.dumps(selector)}).textContent")


def assert_quiet(browser, page):
    assert "hacked" not in browser.run("document.title")
    assert browser.complaints() == []
    assert browser.requests() == [page.as_uri()]


def test_what_an_environment_wrote_is_folded_and_its_text_is_text(make_run, browser):
    folder = make_run(steps=2, groups=1, size=2)
    hostile = HOSTILE_START + " onerror=\"document.title='hacked'\">"
    rows = [json.loads(line) for line in (folder / "rollouts.jsonl").read_text().splitlines()]
    for row in rows:
        row["segments"] = [[True, "<b>call</b> ", 3], [False, hostile, 9], [True, " so 2", 2]]
    (folder / "rollouts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    page = report(folder)
    browser.open(page)
    assert browser.run("document.querySelectorAll('.response').length") == 2
    folded = "document.querySelector('.response .text details.environment')"
    assert browser.run(f"{folded}.open") is False
    summary = f"environment: {len(hostile)} characters"
    assert browser.run(f"{folded}.textContent") == summary + hostile
    assert text(browser, ".response .text") == f"<b>call</b> {summary}{hostile} so 2"
    assert (
        browser.run("document.querySelectorAll('.response .text b, .response .text img').length")
        == 0
    )
    assert_quiet(browser, page)


@pytest.mark.parametrize("backend", ["native", "verl"])
def test_curves_and_rollouts_work_in_a_browser(make_run, browser, backend):
    page = report(make_run(backend=backend, hostile=True))
    browser.open(page)
    drawn = browser.run("document.querySelectorAll('figure svg path.line, path.band').length")
    assert drawn >= 10
    browser.run("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    browser.frame()
    drawings = "[...document.querySelectorAll('figure svg')]"
    assert browser.run(drawings + ".every((one) => one.querySelector('path'))")

    browser.run("smoothing = 0.9; charts.forEach((chart) => chart.draw())")
    labels = "[...one.querySelectorAll('text[text-anchor=end]')].map((text) => text.textContent)"
    for ticks in browser.run(f"{drawings}.map((one) => {labels})"):
        assert len(set(ticks)) == len(ticks) >= 1, ticks

    # Reading a step in one chart reads it in all.
    browser.run("document.querySelector('figure svg').focus()")
    browser.press("Home")
    browser.press("ArrowRight")
    browser.frame()
    assert browser.run(
        "[...document.querySelectorAll('[data-charts=charts] .where')].every((w) => w.textContent === 'step 2')"
    )
    assert "step 2: shaped reward 0.3" in browser.run("document.activeElement.ariaValueText")

    # Enter opens what was said then; arrows and clicks walk through it.
    browser.press("Enter")
    assert text(browser, ".step") == "step 2"
    assert browser.run("document.querySelectorAll('.groups button').length") == 4
    assert browser.run("document.querySelectorAll('.response').length") == 4
    hostile = text(browser, ".response .text")
    assert hostile.startswith(HOSTILE_START)
    assert hostile.endswith("& \u2028 ? \\boxed{2}")
    assert browser.run("document.querySelectorAll('.response .text *').length") == 0
    assert "<i>Think</i>" in text(browser, ".question")
    card = text(browser, ".response header")
    assert "reward" in card
    assert "advantage" in card
    browser.run("document.querySelectorAll('.groups button')[2].click()")
    assert text(browser, ".group h3") == "sum 2-2"
    browser.run("document.querySelector('.groups [aria-current=true]').focus()")
    browser.press("ArrowUp")
    assert text(browser, ".group h3") == "sum 2-1"

    browser.run("document.querySelector('.kind.correct').click()")
    right = browser.run("document.querySelectorAll('.response').length")
    assert right == browser.run("document.querySelectorAll('.response.correct').length") > 0
    browser.run("document.querySelector('[aria-label=\"later step\"]').click()")
    assert text(browser, ".step") == "step 3"
    assert browser.run("document.querySelectorAll('.response:not(.correct)').length") == 0
    browser.run("scrollTo(0, 0)")
    browser.screenshot(ARTEFACTS / f"run-{backend}.png")
    assert_quiet(browser, page)


def test_runs_share_their_curves(make_run, browser, tmp_path):
    first, second = make_run("a"), make_run("b", backend="verl", steps=9, seed=1)
    event = {"step": 4, "kind": "warning", "guard": "entropy", "message": "below the floor"}
    (second / "events.jsonl").write_text(json.dumps(event) + "\n")
    page = report(first, second, out=tmp_path / "both.html")
    assert charts(page, run=1)["Reward"] == ["shaped reward"]
    browser.open(page)
    assert "a 0.7" in text(browser, "figure .legend")
    assert "b 0.7" in text(browser, "figure .legend")
    # A mark stands among the curves of both runs, and says whose it is.
    marked = browser.run(
        "[...document.querySelectorAll('path.mark title')].map((t) => t.textContent)"
    )
    assert set(marked) == {"b, step 4: warning: below the floor"}
    headings = browser.run("[...document.querySelectorAll('h2')].map((h) => h.textContent)")
    assert [h for h in headings if h.startswith("Warnings")] == ["Warnings and events of b"]
    differ = browser.run("document.querySelector('#settings table').innerText")
    assert "seed" in differ
    assert "optim.lr" not in differ
    browser.run(
        "(() => { const s = document.querySelector('.walk select'); s.value = 1; s.dispatchEvent(new Event('change')); })()"
    )
    assert text(browser, ".step") == "step 9"
    browser.screenshot(ARTEFACTS / "run-both.png")
    assert_quiet(browser, page)


def test_ten_thousand_rollouts_are_rendered_a_group_at_a_time(make_run, browser):
    page = report(make_run(steps=20, groups=32, size=16))
    browser.open(page)
    assert browser.run("data.rollouts[0].steps.length") == 20
    assert browser.run("document.querySelectorAll('.response').length") == 16
    browser.run("reader.jump(7)")
    assert text(browser, ".step") == "step 7"
    assert browser.run("document.querySelectorAll('*').length") < 4000
    assert_quiet(browser, page)


def test_it_fits_any_window(make_run, browser):
    page = report(make_run())
    for width in (1280, 420, 390):
        assert browser.fits(page, width)
    browser.run("document.querySelector('#rollouts').scrollIntoView()")
    browser.screenshot(ARTEFACTS / "run-phone.png")
    assert_quiet(browser, page)
