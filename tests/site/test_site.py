"""The built site, in a real browser: no page overflows, complains or asks another host."""

import functools
import http.server
import importlib.util
import subprocess
import sys
import threading
import urllib.parse
import zlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.docs


def module(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / "site" / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(ROOT / "tools" / "site"))  # where its neighbours are
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def address(site):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_public_name_is_on_the_site(site):
    inventory = zlib.decompress((site / "objects.inv").read_bytes().split(b"\n", 4)[4]).decode()
    found = {line.split()[0] for line in inventory.splitlines()}
    names = set(module("reference").shown())
    assert len(names) > 600
    assert names - found == set()


def pages(site):
    return sorted(str(p.parent.relative_to(site)) for p in site.rglob("index.html"))


@pytest.mark.parametrize("width", [1280, 420])
def test_pages_fit_and_ask_no_other_host(width, site, address, browser):
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        width=width, height=900, deviceScaleFactor=1, mobile=False,
    )  # fmt: skip
    for page in pages(site):
        browser.open(f"{address}/{page}/")
        wide = browser.run("document.documentElement.scrollWidth")
        assert wide <= width, f"{page} is {wide} px wide"
        assert not browser.complaints(), page
        assert [url for url in browser.requests() if not url.startswith((address, "data:"))] == []


TYPED = {
    "reward hacking": "audit",
    "custom reward": "audit",
    "LaTeX": "verifiers",
    "timeout": "tasks",
    "GSM8K": "tasks",
    "sandbox": "tasks",
    "OOM": "native",
    "AIME": "evaluation",
    "overlong": "algorithms",
    "clip higher": "algorithms",
    "resume": "keep-a-run",
    "multi-node": "verl",
    "VLLM": "reference/settings",
    "out of memory": "native",
    "exit code": "keep-a-run",
}
"""What somebody types -> a page that is among the first four found."""


def test_search_leads_to_a_page(address, browser):
    for words, page in TYPED.items():
        browser.open(f"{address}/?q={urllib.parse.quote(words)}")
        found = "[...document.querySelectorAll('.md-search-result__item > a')].map((a) => a.href)"
        browser.wait(f"{found}.length > 0")
        paths = [urllib.parse.urlsplit(url).path.strip("/") for url in browser.run(found)]
        first = list(dict.fromkeys(paths))[:4]
        assert page in first, f"{words} leads to {first}"


def test_search_finds_a_setting(address, browser):
    browser.open(f"{address}/?q=clip_high")
    found = "document.querySelectorAll('.md-search-result__item').length"
    browser.wait(f"{found} > 0")
    assert "clip_high" in browser.run("document.querySelector('.md-search-result__list').innerText")


def test_dark_mode_is_readable(address, browser):
    feature = {"name": "prefers-color-scheme", "value": "dark"}
    browser.call("Emulation.setEmulatedMedia", features=[feature])
    browser.open(f"{address}/algorithms/")
    assert browser.run("document.body.dataset.mdColorScheme") == "slate"
    contrast = """(() => {
      const light = (c) => {
        const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
          .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const text = light(getComputedStyle(document.querySelector(".md-content p")).color);
      const page = light(getComputedStyle(document.body).backgroundColor);
      return (Math.max(text, page) + 0.05) / (Math.min(text, page) + 0.05);
    })()"""
    assert browser.run(contrast) >= 4.5  # WCAG AA
