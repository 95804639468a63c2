"""The report pages of the five audits, of scripted targets, read by a parser."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
import test_audit_code as code_target
import test_audit_context as context_target
import test_audit_cues_hosts as cue_target
import test_audit_extraction as extraction_target
from membership_host import BigramHost, Log, passages
from report_pages import check_page

from reticent_bench.audits.code.audit import audit as audit_code
from reticent_bench.audits.code.report import make_report as code_report
from reticent_bench.audits.context.audit import audit as audit_context
from reticent_bench.audits.context.report import make_report as context_report
from reticent_bench.audits.cues.decision import Limits
from reticent_bench.audits.cues.report import make_report as cue_report
from reticent_bench.audits.extraction.audit import audit_extraction
from reticent_bench.audits.extraction.canaries import draw_canaries
from reticent_bench.audits.extraction.report import make_report as extraction_report
from reticent_bench.audits.membership.audit import audit as audit_membership
from reticent_bench.audits.membership.questions import MembershipSettings
from reticent_bench.audits.membership.report import make_report as membership_report
from reticent_bench.audits.report import Plot, Report, Series, Table, cell_text, read_figures
from reticent_bench.audits.report_files import markdown
from reticent_bench.audits.report_page import alternative, draw, page
from reticent_bench.report.metrics import Interval


def extraction() -> Report:
    canaries = draw_canaries(seed=1)
    scripted = extraction_target.Scripted(extraction_target.memorised(canaries))
    columns = {"off": scripted, "on": scripted}
    return extraction_report(audit_extraction(columns, canaries, extraction_target.straight, samples=2))


def membership() -> Report:
    members, others = passages("m", 8, 1), passages("n", 8, 2)
    settings = MembershipSettings(rounds=5, null_rounds=20, variants=2)
    host = BigramHost([passage.text for passage in passages("public", 40, 9)])
    return membership_report(audit_membership(host, members, others, Log(), settings=settings))


def cues() -> Report:
    settings = replace(cue_target.SETTINGS, rounds=10)
    found = cue_target.run(cue_target.PLANTED_HOST, settings, control=cue_target.CONTROL)
    return cue_report(found, Limits())


def context(names: Sequence[str] = ("off",)) -> Report:
    task = context_target.classification(held_out=4)
    columns = {each: context_target.Scripted(context_target.leaker(task)) for each in names}
    return context_report(audit_context(columns, task, context_target.SMALL, context_target.Log()))


def code() -> Report:
    settings = replace(code_target.SETTINGS, scenarios=code_target.CHOSEN[:1], arms=("pipeline",))
    off, on = (code_target.ScriptedTarget(each) for each in (code_target.mixed_answer, code_target.guarded_answer))
    attempt = code_target.Log().attempt
    return code_report(
        audit_code(
            off, code_target.corpus(), settings, attempt, guarded={"texts": off, "on": on}, library=code_target.NO_HINTS
        )
    )


@pytest.mark.parametrize("made", [extraction, membership, cues, context, code])
def test_the_page_of_each_audit_can_be_read_without_scripts_pictures_and_colour(made: Callable[[], Report]) -> None:
    report = made()
    found = check_page(page(report))
    assert report.readings.keys() == report.figures.keys(), "a figure without plain words"
    shown = " ".join([*found.texts("td"), *found.texts("th")])
    assert not re.search(r"\w_\w", " ".join(found.texts("th"))), "a key name in the place of words"
    assert not re.search(r"\b(nan|inf|None|-0\.000)\b|—", shown)
    assert len(found.texts("caption")) == 1 + len(report.tables)  # the headline figures come first
    assert len(found.texts("figure")) == len(report.plots)
    assert not [plot.title for plot in report.plots if ": no value." in alternative(plot)], "a legend without a line"
    for table, body in zip(report.tables, found.texts("tbody")[1:], strict=True):
        assert body or not table.rows


def test_a_plot_of_the_context_audit_is_of_one_guard() -> None:
    alone, beside = context(), context(("off", "texts"))
    places = [[series.x for series in plot.series] for plot in beside.plots]
    assert places and places == [[series.x for series in plot.series] for plot in alone.plots]


def test_the_cue_page_prints_likelihoods_beside_hit_rates() -> None:
    report = cues()
    names = [plot.title for plot in report.plots]
    assert names == ["email, twin, english" + part for part in ("", ": log-likelihood", ": log-likelihood per token")]
    rows = [row for table in report.tables if table.title == "Log-likelihood by cue" for row in table.rows]
    last = {row[3]: row for row in rows if row[4] == 1.0}
    # The host gives -0.1 a token to what it learnt and -3 to all else.
    everybody = [*cue_target.PLANTED]
    counts = {person.name: math.ceil(len(" " + person.facts[0].value) / 4) for person in everybody}
    each = [-0.1 if person.name in cue_target.LEARNT else -3.0 for person in everybody]
    (value, low, high), asked = last["planted"][8], last["planted"][5]
    assert asked % len(everybody) == 0 and last["planted"][6] == len(everybody)
    assert value == pytest.approx(sum(each) / len(each)) and low < value < high
    assert last["held out"][8] == pytest.approx((-3.0, -3.0, -3.0))
    total = last["planted"][7][0]
    lengths = [counts[person.name] for person in everybody]
    assert total == pytest.approx(sum(n * p for n, p in zip(lengths, each, strict=True)) / len(each), rel=0.1)
    silent = cue_report(cue_target.run(cue_target.Scripted(cue_target.by_heart)), Limits())
    assert len(silent.plots) == 1 and "Log-likelihood by cue" not in [table.title for table in silent.tables]


def test_the_cue_page_names_prompts_that_fit_nobody() -> None:
    found = cue_target.run(cue_target.Scripted(cue_target.by_heart))
    sentences = [each for each in cue_report(found, Limits(), ("verbatim", "twin")).sentences if "Not asked" in each]
    assert len(sentences) == 1 and "verbatim prompts, which need the text before a value" in sentences[0]


def test_series_differ_without_colour_and_a_plot_is_described_in_words() -> None:
    lines = tuple(Series(name, (0.0, 1.0), (0.25, math.nan)) for name in ("a", "b", "c"))
    plot = Plot("P", "x", "y", (*lines, Series("d", (1.0, 2.0), (3.0, 5.0), points=True)))
    assert alternative(plot) == (
        "P. Plot of y by x. a: 0.25 at 0, 0.25 at 0. b: 0.25 at 0, 0.25 at 0. c: 0.25 at 0, 0.25 at 0. "
        "d: 2 points, from 3 to 5."
    )
    dashes = re.findall(r"stroke-dasharray: ([^;\"]+)", draw(replace(plot, series=lines)))
    assert len(set(dashes)) >= 2  # besides the line without dashes
    assert alternative(replace(plot, series=(Series("e", (), ()),))) == "P. Plot of y by x. e: no value."


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "not measured"), (math.nan, "not measured"), ((math.nan, 0.0, 1.0), "not measured"), ("", ""), (7, "7"),
        ((0.5, math.nan, math.nan), "0.500"), ((math.inf, 3.25, math.inf), "∞ [3.250, ∞]"), ("infinite", "infinite"),
        ((-0.0001, -0.0004, 0.2), "0.000 [0.000, 0.200]"), ((-10.0, -10.5, 0.0), "-10.000 [-10.500, 0.000]"),
    ],
)  # fmt: skip
def test_a_cell_is_a_number_or_says_that_there_is_none(cell: object, text: str) -> None:
    assert cell_text(cell) == text
    made = page(Report("n", "N", (), (Table("T", ("what", "value"), (("a", cell),)),)))
    assert f">{text}</td>" in made


def test_the_answer_comes_first_in_plain_words() -> None:
    words = {"auc-*": "AUC of the attack *"}
    figures = {"auc-min-k": Interval(0.5, 0.25, 0.75), "other-figure": None}
    report = Report("n", "N", ("Explained.",), (), (), figures, readings=read_figures(figures, words))
    for text in (page(report), markdown(report)):
        places = [text.index(part) for part in ("AUC of the attack min k", "0.500 [0.250, 0.750]", "auc-min-k")]
        assert places == sorted(places) and places[-1] < text.index("Explained.")
        assert text.index("other figure") < text.index("not measurable") < text.index("other-figure")


def test_numbers_are_aligned_and_words_are_not() -> None:
    table = Table("T", ("kind", "words", "count"), (("a", "b", 1), ("c", "d", None)))
    text = page(Report("n", "N", (), (table,)))
    assert '<th scope="col">words</th><th scope="col" class="number">count</th>' in text
    assert '<td>b</td><td class="number">1</td>' in text
    check_page(page(Report("n", "N", (), (Table("Empty", ("kind", "count"), ()),))))


def test_plots_of_shares_have_one_scale_and_the_page_explains_bands() -> None:
    share, bits, low = (
        Plot("P", "x", "y", (Series("s", (0.0, 10.0), y),)) for y in ((0.1, 0.5), (0.1, 2.0), (0.1, 0.2))
    )
    assert ">1.0<" in draw(share) and ">1.0<" not in draw(low) and ">2.0" in draw(bits)
    assert ">1.0<" in draw(replace(share, series=(Series("s", (0.0, 10.0), (0.0, 0.0)),)))  # and nothing below 0
    banded = replace(share, series=(Series("s", (0.0, 1.0), (0.1, 0.5), (0.0, 0.4), (0.2, 0.6)),))
    pages = [page(Report("n", "N", (), (), (plot,))) for plot in (share, banded)]
    assert ["Bands are 95 % intervals." in text for text in pages] == [False, True]


@pytest.mark.parametrize(
    "bad",
    [
        "<script></script>", "<p>", '<svg role="img" aria-label="P"></svg>', "<table></table>", '<p onclick="x"></p>',
        '<a href="http://example.org">x</a>', "<p style='background: url(x.png)'></p>",
    ],
)  # fmt: skip
def test_the_check_finds_what_a_reader_would_miss(bad: str) -> None:
    text = page(Report("n", "N", (), ()))
    check_page(text)
    with pytest.raises(AssertionError):
        check_page(text.replace("</main>", f"{bad}</main>"))
