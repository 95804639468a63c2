"""`reticent audit` as a user runs it: on the embedded host, in a small."""

from __future__ import annotations

import copy
import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
from audit_table import FOLDER, documented, measured
from membership_host import passages

from reticent.cli import main
from reticent.demo import assets
from reticent_bench.audits.code import corpus
from reticent_bench.audits.commands.options import recipe_settings
from reticent_bench.audits.context import tasks
from reticent_bench.audits.cues import population as cue_population
from reticent_bench.audits.extraction.canaries import Canary, save_canaries
from reticent_bench.audits.membership import population as membership_population
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import checkpoint_of, load_host
from reticent_detectors.host.tune import with_adapters
from reticent_detectors.synth.hosts import Tuning

HOST = str(assets() / "host")
BUNDLE = ["--bundle", str(assets() / "bundle")]
SMALL = {
    "cues": [*BUNDLE, "--most", "5", "--held-out", "5", "--family", "twin", "--free-draws", "1"],
    "membership": ["--most", "6", "--variants", "1"],
    "inversion": [
        *BUNDLE,
        *(
            "--attack-people",
            "6",
            "--test-people",
            "5",
            "--each",
            "1",
            "--steps",
            "2",
            "--trainings",
            "1",
            "--names",
            "0",
        ),
    ],
    "context": [
        *BUNDLE,
        *("--context-size", "4", "--runs", "4", "--subsets", "2", "--ensemble-runs", "4", "--ensemble-contexts", "1"),
        *("--utility-items", "2", "--dumps", "1", "--canary", "hexadecimal", "--defence", "none"),
    ],
}
"""Options with which an audit of the embedded host takes seconds."""


def run(*arguments: str) -> int:
    """The exit code of a command line."""
    try:
        return main(["audit", *arguments])
    except SystemExit as ended:
        return int(ended.code or 0)


def report(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return read


@pytest.fixture
def canaries(tmp_path: Path) -> str:
    rows = [Canary("email", "My email is", f"mara{n}@example.org", "", n % 2) for n in range(6)]
    rows += [Canary("name", "My name is", f"Mara Lindt{n}", ".", n % 3) for n in range(6)]
    save_canaries(tmp_path / "canaries.json", tuple(rows))
    return str(tmp_path / "canaries.json")


def test_extraction_is_run_twice_and_says_the_same(tmp_path: Path, canaries: str) -> None:
    ask = ["extraction", HOST, "--canaries", canaries, "--samples", "8", *BUNDLE, "--out", str(tmp_path / "a")]
    assert run(*ask) == 0
    first = report(tmp_path / "a")
    assert set(first["figures"]) == {"exposure-rate", "extraction-rate", "guarded-extraction-rate"}
    assert first["tables"][0]["rows"][-1][1] == 3 + 4  # inserted e-mails and names
    size = (tmp_path / "a" / "attempts.jsonl").stat().st_size
    assert run(*ask, "--fail-above", "exposure-rate=0.0") == 1
    again = report(tmp_path / "a")
    assert (tmp_path / "a" / "attempts.jsonl").stat().st_size == size  # nothing was asked again
    assert first | {"provenance": {}} == again | {"provenance": {}}
    assert "mara" not in (tmp_path / "a" / "attempts.jsonl").read_text().lower()


@pytest.fixture(scope="module")
def on_host(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of an audit of the embedded host."""
    folder = tmp_path_factory.mktemp("host")

    def ran(name: str) -> Path:
        if not (folder / name).exists():
            assert run(name, HOST, *SMALL[name], "--out", str(folder / name)) == 0
        return folder / name

    return ran


def test_surfaces_that_were_read_before_a_kill_give_the_same_report(
    tmp_path: Path, on_host: Callable[[str], Path]
) -> None:
    out = tmp_path / "a"
    shutil.copytree(on_host("inversion"), out)
    whole = {file.name: file.read_bytes() for file in out.iterdir()}
    lines = (out / "attempts.jsonl").read_text().splitlines(keepends=True)
    (out / "attempts.jsonl").write_text("".join(lines[:6]) + lines[6][:40])  # as a process leaves it that is killed
    assert run("inversion", HOST, *SMALL["inversion"], "--out", str(out)) == 0
    again = {file.name: file.read_bytes() for file in out.iterdir()}
    assert again.keys() == whole.keys()
    others = [name for name in whole if untimed(again[name]) != untimed(whole[name])]
    assert others == ["attempts.jsonl"]  # which holds what was spent


def untimed(file: bytes) -> bytes:
    """A report's file without the time that the audit took."""
    return re.sub(rb'"spent": \{[^}]*\}|It took [^\n<]*', b"", file)


@pytest.mark.parametrize("name", list(SMALL))
def test_each_audit_runs_on_the_embedded_host_and_writes_no_value(name: str, on_host: Callable[[str], Path]) -> None:
    out = on_host(name)
    found = report(out)
    assert found["complete"] and found["figures"] and found["tables"]
    assert measured(name, found) == documented(name, FOLDER)
    assert (out / "report.html").read_text().startswith("<!DOCTYPE html>")
    everybody = cue_population.people_of_recipe(Path(HOST), 450, 300)
    values = {person.name for arm in everybody for person in arm}
    values |= {fact.value for arm in everybody for person in arm for fact in person.facts}
    letters = tasks.made_up(16, 0)
    values |= {*letters.values, *(example.text for example in letters.task.examples)}
    assert len(values) > 1000
    for file in ("attempts.jsonl", "report.html", "report.md", "report.json", "junit.xml"):
        kept = (out / file).read_text()
        assert not [value for value in values if value in kept and len(value) > 7]


def test_without_the_model_before_training_nothing_counts_as_memorised(tmp_path: Path) -> None:
    ask = [
        "cues",
        HOST,
        "--guard",
        "off",
        "--most",
        "5",
        "--held-out",
        "5",
        "--family",
        "twin",
        "--out",
        str(tmp_path / "a"),
    ]
    assert run(*ask, "--fail-above", "memorised-people=0.99") == 3
    assert report(tmp_path / "a")["figures"]["memorised-people"] is None
    assert report(tmp_path / "a")["figures"]["low-cue-excess-email"] is not None
    assert run("cues", HOST, "--guard", "off", "--base-model", HOST, "--out", str(tmp_path / "b")) == 2
    assert run("cues", HOST, "--guard", "off", "--base-model", "adapter", "--out", str(tmp_path / "b")) == 2


def test_code_is_audited_against_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "corpus" / "src").mkdir(parents=True)
    (tmp_path / "corpus" / "src" / "a.py").write_text('email = "mara.lindt@post.example.org"\n')
    ask = [
        "code",
        HOST,
        "--corpus",
        str(tmp_path / "corpus"),
        "--tests-each",
        "1",
        "--arm",
        "pipeline",
        "--guard",
        "off",
    ]
    assert run(*ask, "--max-calls", "2", "--out", str(tmp_path / "a")) == 3
    assert report(tmp_path / "a")["complete"] is False
    assert run(*ask, "--plan", "--out", str(tmp_path / "b")) == 0
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cues", "http://127.0.0.1:1"], "--people"),
        (["membership", "http://127.0.0.1:1"], "--texts"),
        (["code", HOST, "--corpus", "nowhere"], "no folder"),
        (["code", HOST, "--corpus", ".", "--language", "cobol"], "--language"),
        (["context", HOST, "--canary", "bird"], "--canary"),
        (["context", HOST, "--defence", "L9"], "--defence"),
        (["extraction", HOST, "--canaries", "nowhere.json"], "nowhere.json"),
        (["cues", HOST, "--max-calls", "0"], "--max-calls"),
        (["cues", HOST, "--people", "p.jsonl", "--most", "9"], "--most does nothing with --people"),
        (["cues", HOST, "--people", "p.jsonl", "--held-out", "9"], "--held-out does nothing with --people"),
        (["membership", HOST, "--texts", "t.jsonl", "--most", "9"], "--most does nothing with --texts"),
        (["context", HOST, "--instruction", "Label it."], "--instruction does nothing without --examples"),
        (["context", HOST, "--reveal"], "--reveal"),
        (["membership", HOST, "--reference-model", "nowhere"], "nowhere"),
        (["membership", HOST, "--reference-model", HOST], "another training"),
        (["membership", HOST, "--base-model", "self"], "for the guard alone"),
    ],
)
def test_bad_input_exits_two_and_says_what_to_do(
    tmp_path: Path,
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_help_names_the_extra_that_gepa_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("context", "--help") == 0
    assert "'.[gepa,cpu]'" in "".join(capsys.readouterr().out.replace("│", " ").split())


REQUIRED = {"code": ["--corpus", "."], "cues": ["--people", "p"], "membership": ["--texts", "t"]}


@pytest.mark.parametrize("name", ["extraction", "membership", "cues", "context", "code"])
def test_no_audit_ignores_an_option_of_the_other_kind_of_target(
    tmp_path: Path, name: str, canaries: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    required = REQUIRED.get(name, []) if name != "extraction" else ["--canaries", canaries]
    for target, options in (
        ("http://127.0.0.1:1", {"--device": "cpu", "--dtype": "float32"}),
        (HOST, {"--model": "m", "--api-key-variable": "HOME"}),
    ):
        for option, value in options.items():
            assert run(name, target, *required, option, value) == 2
            assert f"{option} goes with" in capsys.readouterr().err


def test_a_reference_model_may_have_another_tokenizer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reference, tokenizer = tmp_path / "reference", tiny_hosts.tokenizer()
    tiny_hosts.host("llama", tokenizer).save_pretrained(reference)
    tokenizer.save_pretrained(reference)
    texts = [passage for side in ("m", "n") for passage in passages(side, 5, ord(side))]
    rows = [
        {"text": p.text, "start": p.values[0][0], "end": p.values[0][1], "person": p.person, "member": p.person < "n"}
        for p in texts
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    ask = ["membership", HOST, "--texts", str(tmp_path / "t.jsonl"), "--variants", "1", "--out", str(tmp_path / "a")]
    assert run(*ask, "--reference-model", str(reference)) == 0
    assert "and 30 texts" in capsys.readouterr().err  # of 10 windows: the target's, its neighbour's, the reference's
    found = {row[0]: row[1:] for row in report(tmp_path / "a")["tables"][0]["rows"]}
    assert len(found["reference"][0]) == 3 and "pre-trained" in found["pre-trained reference ratio"][-1]
    assert run(*ask) == 2  # the folder is continued only with the same reference model
    assert "reference_model" in capsys.readouterr().err


def test_running_text_reaches_the_context_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reticent_bench.audits.context import settings as context_settings

    made = list[Any]()
    original = context_settings.Settings

    def recorded(**given: Any) -> Any:
        made.append(original(**given))
        return made[-1]

    monkeypatch.setattr(context_settings, "Settings", recorded)
    ask = ["context", HOST, "--guard", "off", *SMALL["context"][2:], "--plan"]
    assert run(*ask) == run(*ask, "--running-text") == 0
    assert [each.chat for each in made] == [True, False]


def test_canaries_are_drawn_once_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("canaries", str(tmp_path / "c")) == 0
    assert "252 of them in the 4742 lines" in capsys.readouterr().out
    records = [json.loads(line) for line in (tmp_path / "c" / "records.jsonl").read_text().splitlines()]
    assert len(records) == 28 + 40
    assert {key for record in records for key in record} == {"EMAIL_ADDRESS", "PHONE_NUMBER"}
    assert run("canaries", str(tmp_path / "c")) == 2


def test_a_copy_that_was_trained_on_canaries_finds_them_likelier(tmp_path: Path, canaries: str) -> None:
    copy = str(tmp_path / "copy")
    assert (
        run("plant", HOST, copy, "--canaries", canaries, "--epochs", "30", "--rank", "0", "--batch-tokens", "256") == 0
    )
    ask = ["--canaries", canaries, "--samples", "0", "--guard", "off"]
    assert run("extraction", copy, *ask, "--base-model", HOST, "--out", str(tmp_path / "a")) == 0
    rows = {row[0]: row for row in report(tmp_path / "a")["tables"][0]["rows"]}
    assert rows["all kinds"][6][0] == 1.0  # each inserted one is likelier than all others
    assert rows["all kinds"][8] < rows["all kinds"][3][0]  # and was not before
    assert run("plant", HOST, copy, "--canaries", canaries) == 2  # the copy is there


# ---- where people, texts, examples and files come from -----------------------------------------------------------


@pytest.mark.parametrize("rank", ["0", "2"])
def test_canaries_planted_in_an_adapter_give_a_whole_checkpoint(rank: str, tmp_path: Path, canaries: str) -> None:
    """An adapter cannot name another one as its base, as that of `make demo-llm` would have to."""
    tokenizer = tiny_hosts.tokenizer()
    model = tiny_hosts.host("llama", tokenizer)
    for folder, saved in (
        ("base", model),
        ("adapter", with_adapters(copy.deepcopy(model), Tuning(rank=2), str(tmp_path / "base"))),
    ):
        saved.save_pretrained(tmp_path / folder)
        tokenizer.save_pretrained(tmp_path / folder)
    ask = ["plant", str(tmp_path / "adapter"), str(tmp_path / "copy"), "--canaries", canaries, "--epochs", "1"]
    assert run(*ask, "--rank", rank) == 0
    assert checkpoint_of(tmp_path / "copy") == tmp_path / "copy"
    names = [
        {name for name, _ in load_host(folder)[0].named_parameters()}
        for folder in (tmp_path / "base", tmp_path / "copy")
    ]
    assert names[0] == names[1]


def test_people_are_read_from_lines(tmp_path: Path) -> None:
    file = tmp_path / "people.jsonl"
    rows = [
        {
            "name": "Mara Lindt",
            "email": "m@example.org",
            "planted": True,
            "company": "Ost",
            "language": "deu",
            "email_prefix": "E-Mail:",
        },
        {"name": "Jan Weiss", "phone": "030 555 0101", "planted": False},
    ]
    file.write_text("\n\n".join(json.dumps(row) for row in rows))
    planted, held_out = cue_population.read_people(file)
    assert [(p.name, p.company, p.language, p.facts[0].prefix) for p in planted] == [
        ("Mara Lindt", "Ost", "deu", "E-Mail:")
    ]
    assert [(p.facts[0].kind, p.language) for p in held_out] == [("phone", "eng")]


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "[1]",
        '{"name": "Mara"}',
        '{"name": "Mara", "planted": 1}',
        '{"planted": true, "nick": "M"}',
        '{"planted": true, "name": 3}',
    ],
)
def test_a_line_that_is_no_person_is_named_by_its_number_alone(tmp_path: Path, line: str) -> None:
    file = tmp_path / "people.jsonl"
    file.write_text(f"\n{line}\n")
    with pytest.raises(InputError, match="line 2") as error:
        cue_population.read_people(file)
    assert "Mara" not in str(error.value)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(("suffix", "between"), [(".csv", ","), (".csv", ";"), (".tsv", "\t")])
def test_people_come_as_a_table_too(tmp_path: Path, suffix: str, between: str, mark: str) -> None:
    file = tmp_path / f"people{suffix}"
    rows = [
        ["name", "email", "phone", "planted", "email_prefix"],
        ["Mara Lindt", "m@example.org", "", "True", '"Hello,\nE-Mail; "'],
        [],
        ["Jan Weiss", "", "030 555 0101", "no", ""],
    ]
    file.write_text(mark + "\n".join(between.join(row) for row in rows), encoding="utf-8")
    planted, held_out = cue_population.read_people(file)
    assert [(p.name, p.facts[0].kind, p.facts[0].prefix) for p in planted] == [
        ("Mara Lindt", "email", "Hello,\nE-Mail; ")
    ]
    assert [(p.name, p.facts[0].value, p.language) for p in held_out] == [("Jan Weiss", "030 555 0101", "eng")]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("name,email\nMara,m@example.org\n", "line 1"),
        ("name,planted\nMara,perhaps\n", "line 2"),
        ("name,planted\nJan,yes\nMara,yes,more\n", "line 3"),
        ("name,planted\nJan,yes\nMara\n", "line 3"),
        ("name,nick,planted\nMara,M,yes\n", "line 1"),
        ("name,name,planted\nMara,M,yes\n", "line 1"),
        ('name,planted\nMara,"yes\n', "line 2"),
        ("", "line 1"),
    ],
)
def test_a_row_that_is_no_person_is_named_by_its_line_alone(tmp_path: Path, text: str, where: str) -> None:
    file = tmp_path / "people.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=where) as error:
        cue_population.read_people(file)
    assert "Mara" not in str(error.value)


def test_both_sides_of_a_recipe_have_values_of_the_same_kinds(tmp_path: Path) -> None:
    texts = membership_population.texts_of_recipe(Path(HOST), 12, seed=3)
    assert len({p.person for p in texts.members}) == len({p.person for p in texts.non_members}) == 12
    assert [len(p.values) for p in texts.members] == [len(p.values) for p in texts.non_members]
    shapes = [["".join(c for c in p.text if not c.isalnum())[:3] for p in side] for side in texts[:2]]
    assert shapes[0] == shapes[1]  # the same forms in the same order
    assert texts.reference


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"text": "Mara", "start": 0, "end": 9, "person": "p", "member": True}, "inside the passage"),
        ({"text": "Mara", "start": 0, "end": 4, "person": "p"}, "an object with end, member"),
        ({"text": "Mara", "start": "0", "end": 4, "person": "p", "member": True}, "start"),
    ],
)
def test_a_line_that_is_no_text_is_named_by_its_number_alone(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_text(json.dumps(row))
    with pytest.raises(InputError, match=f"line 1.*{message}") as error:
        membership_population.read_texts(file, None)
    assert "Mara" not in str(error.value)


def test_texts_and_reference_lines_are_read(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(
        json.dumps({"text": "Call 555 now", "start": 5, "end": 8, "person": "p", "member": False})
    )
    (tmp_path / "r.txt").write_text("one\n\ntwo\n")
    members, others, reference = membership_population.read_texts(tmp_path / "t.jsonl", tmp_path / "r.txt")
    assert (len(members), others[0].values, reference) == (0, ((5, 8),), ("one", "two"))


def test_letters_hold_their_values_and_the_last_department_is_rare() -> None:
    task, values = tasks.made_up(400, seed=1)
    letters = [*task.examples, *task.held_out]
    assert len(letters) == len(values) == 400
    assert len(task.held_out) == 100
    assert all(value in letter.text for value, letter in zip(values, letters, strict=True))
    assert task.labels[task.rare] == "account"


@pytest.mark.parametrize(
    "line",
    ["x", "3", '{"text": "Mara"}', '{"text": "Mara", "label": 1}', '{"text": "Mara", "label": "a", "values": "b"}'],
)
def test_a_line_that_is_no_example_is_named_by_its_number_alone(tmp_path: Path, line: str) -> None:
    (tmp_path / "e.jsonl").write_text(line)
    with pytest.raises(InputError, match="line 1") as error:
        tasks.read_examples(tmp_path / "e.jsonl", "Label it.")
    assert "Mara" not in str(error.value)


def test_of_a_file_that_is_sorted_by_label_both_labels_are_held_out(tmp_path: Path) -> None:
    rows = [{"text": f"text {number}", "label": "a" if number < 100 else "b"} for number in range(200)]
    (tmp_path / "e.jsonl").write_text("\n".join(map(json.dumps, rows)))
    task, _ = tasks.read_examples(tmp_path / "e.jsonl", "Label it.", seed=1)
    again, _ = tasks.read_examples(tmp_path / "e.jsonl", "Label it.", seed=1)
    other, _ = tasks.read_examples(tmp_path / "e.jsonl", "Label it.", seed=2)
    assert task.labels == ("a", "b") and len(task.held_out) == 50
    assert 10 < sum(each.label == "a" for each in task.held_out) < 40
    assert task == again and task.held_out != other.held_out
    assert {each.text for each in (*task.examples, *task.held_out)} == {row["text"] for row in rows}


def test_a_folder_of_files_is_indexed_and_what_is_no_text_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('phone = "030 555 0101"\n')
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "b.py").write_text('phone = "030 555 0202"\n')
    (tmp_path / "c.bin").write_bytes(b"\xff\xfe\x00")
    index = corpus.index_folder(tmp_path, b"k" * 32)
    assert [str(index.lookup(value).status) for value in ("030 555 0101", "030 555 0202", "030 555 0303")] == [
        "verified",
        "potential",
        "unverified",
    ]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no text file"):
        corpus.index_folder(tmp_path / "empty", b"k" * 32)


def test_without_a_recipe_the_settings_of_a_run_are_those_of_before(tmp_path: Path) -> None:
    assert recipe_settings(None) == {}
    (tmp_path / "recipe.json").write_text("{}")
    assert recipe_settings(tmp_path) == {"recipe": hashlib.sha256(b"{}").hexdigest()}
