"""The playground in a real browser: ask, see a redaction, open its verdict, switch the policy, see the value pass.

`RETICENT_SCREENSHOTS` names a folder for pictures of the page. `playground.png` of them is the one of README and docs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import chromium
import pytest
from playground_host import DEMO, PAGE, start
from serve_upstream import Running

from reticent.commands.serve import DEMO_NOTE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.PROGRAM is None, reason="there is no Chromium on this machine"),
]

SCREENSHOTS = os.environ.get("RETICENT_SCREENSHOTS", "")
NUMBER, JOB = "Which number do I dial for Daniel Brown?", "What job does Joseph Bush have?"
ENTER, ESCAPE = ("Enter", 13), ("Escape", 27)
IDLE = "document.getElementById('stop').disabled"
SPAN = "document.querySelector('#guarded-answer .span')"
TINTED = "document.querySelector('#guarded-answer span.span.memorized')"
"""A coloured value of an answer that is not over; of a finished one it is a button."""
VERDICT = "document.getElementById('verdict')"
AXE = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map(" \
    "each => `${each.impact}: ${each.id}: ${each.nodes.map(node => node.html).join(' ')}`))"  # fmt: skip


@pytest.fixture(scope="module")
def served() -> Iterator[Running]:
    running = start(
        **DEMO, **{"playground.note": DEMO_NOTE, "playground.context": False, "model.name": "reticent-demo"}
    )
    yield running
    running.close()


@pytest.fixture
def browser(served: Running, tmp_path: Path) -> Iterator[chromium.Chromium]:
    with chromium.Chromium(tmp_path / "profile") as browser:
        browser.open(f"http://127.0.0.1:{served.port}{PAGE}", 1280, dark=False)
        browser.wait_for("document.querySelectorAll('#prompts button').length")
        yield browser


def text(browser: chromium.Chromium, name: str) -> str:
    found: str = browser.value(f"document.getElementById('{name}').textContent")
    return found


def ask(browser: chromium.Chromium, question: str) -> None:
    """Types a question and presses Enter."""
    browser.value("(field => { field.focus(); field.select(); })(document.getElementById('prompt'))")
    browser.ask("Input.insertText", text=question)
    browser.press(*ENTER)
    browser.wait_for(IDLE)


def choose(browser: chromium.Chromium, field: str, value: str) -> None:
    changed = f"field.value = '{value}'; field.dispatchEvent(new Event('change'));"
    browser.value(f"(field => {{ {changed} }})(document.getElementById('{field}'))")
    browser.wait_for(IDLE)


def check_shape(browser: chromium.Chromium, name: str) -> None:
    """The page is never wider than its window, in light and dark; pictures of each are written if wanted."""
    for width in (1280, 360):
        for dark in (False, True):
            browser.resize(width, dark)
            assert browser.value("document.documentElement.scrollWidth") == width, (name, width)
            if SCREENSHOTS:
                Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
                browser.screenshot(Path(SCREENSHOTS) / f"{name}-{width}-{'dark' if dark else 'light'}.png")
            check_access(browser)
    browser.resize(1280, False)


def check_access(browser: chromium.Chromium) -> None:
    """Nothing that axe-core calls a violation, whatever its impact."""
    source = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
    browser.value(f"{source}; undefined")
    assert browser.value(AXE) == []


def test_ask_see_a_redaction_open_its_verdict_switch_the_policy_and_see_it_pass(
    served: Running, browser: chromium.Chromium
) -> None:
    check_shape(browser, "begin")
    browser.value(f"new MutationObserver(() => {{ window.cameTinted ||= Boolean({TINTED}); }})"
                  ".observe(document.getElementById('guarded-answer'), {childList: true})")  # fmt: skip
    ask(browser, NUMBER)
    assert text(browser, "error") == "" and browser.value("window.cameTinted")
    assert "<PHONE_NUMBER>" in text(browser, "guarded-answer") and "1 withheld" in text(browser, "guarded-status")
    number = browser.value("document.querySelector('#unguarded-answer .span').firstChild.textContent")
    assert sum(map(str.isdigit, number)) >= 7 and number not in text(browser, "guarded")

    browser.value(f"{SPAN}.focus()")
    browser.press(*ENTER)
    assert not browser.value(f"{VERDICT}.hidden")
    assert browser.value("document.activeElement.textContent") == "PHONE_NUMBER: memorised, redacted"
    assert browser.value("document.querySelectorAll('.heat tbody tr').length") == 8
    assert "because the policy's rule" in text(browser, "verdict") and number not in text(browser, "verdict")
    check_shape(browser, "verdict")
    if SCREENSHOTS:
        browser.screenshot(Path(SCREENSHOTS) / "playground.png", whole=False)
    browser.press(*ESCAPE)
    assert browser.value(f"{VERDICT}.hidden && document.activeElement === {SPAN}")

    choose(browser, "policy", "sealed")
    ask(browser, JOB)
    assert browser.value(f"{SPAN}.className") == "span unknown" and "<JOB_TITLE>" in text(browser, "guarded-answer")
    choose(browser, "policy", "default")
    assert browser.value(f"{SPAN}.className") == "span hallucinated"
    assert browser.value(f"{SPAN}.firstChild.textContent") in text(browser, "unguarded-answer")
    assert "0 withheld" in text(browser, "guarded-status")

    browser.reload()
    browser.wait_for("document.querySelectorAll('#prompts button').length")
    assert text(browser, "guarded-answer") == "Nothing was asked yet."
    browser.value("document.querySelector('#prompts button').click()")
    browser.wait_for(f"{IDLE} && {SPAN}")

    assert not browser.seen("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")
    asked = [each["request"]["url"] for each in browser.seen("Network.requestWillBeSent")]
    assert asked and all(url.startswith(f"http://127.0.0.1:{served.port}/playground") for url in asked)
