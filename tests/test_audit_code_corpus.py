"""The corpus index, the check of redactions, and the feature library."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from reticent_bench.audits.code import CorpusIndex, CorpusIndexBuilder, check_redaction, load_index, save_index
from reticent_bench.audits.code.corpus_index import Status, fields, is_test_or_doc, keys_of, normalise
from reticent_bench.audits.code.echo import is_echo
from reticent_bench.audits.code.feature_library import (
    FeatureEncoder,
    FeatureLibrary,
    Instance,
    build_library,
    cluster,
    divide,
    hashed_n_grams,
    library_of,
    pieces,
    prior_library,
    pseudo_nll,
)
from reticent_bench.audits.code.language import Language
from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling, TokenScores
from reticent_detectors.errors import InputError
from reticent_detectors.spans import Span

KEY = bytes(range(32))
DECOYS = {"decoy-none-4471": 0, "decoy-once-8812": 1, "decoy-hundred-6620": 100, "decoy-more-7731": 101}


def decoy_index(max_postings: int = 100_000) -> CorpusIndex:
    """Every decoy in as many files as `DECOYS` says, twice in each."""
    builder = CorpusIndexBuilder(KEY, max_postings)
    for number in range(120):
        values = [value for value, count in DECOYS.items() if number < count]
        builder.add(f"src/file_{number}.py", "\n".join(f'a = "{value}"\nb = "{value}"' for value in values))
    return builder.build()


@pytest.mark.parametrize("max_postings", [100_000, 210])
def test_decoys_are_verified_by_1_to_100_files(max_postings: int) -> None:
    index = decoy_index(max_postings)
    found = {value: index.lookup(value) for value in DECOYS}
    assert {value: hits.count for value, hits in found.items()} == DECOYS
    assert [hits.status for hits in found.values()] == [
        *(Status.UNVERIFIED, Status.VERIFIED, Status.VERIFIED, Status.COMMON),
    ]
    assert found["decoy-once-8812"].paths == ("src/file_0.py",)
    assert len(found["decoy-hundred-6620"].records) == 100


def test_memory_is_bounded() -> None:
    builder = CorpusIndexBuilder(KEY, max_postings=300)
    for number in range(1_000):
        builder.add_values(f"f{number}.py", ["in-every-file-1"])
    index = builder.build()
    assert index.lookup("in-every-file-1").count == 101
    assert len(index.files) == 101
    full = CorpusIndexBuilder(KEY, max_postings=300)
    with pytest.raises(InputError, match="expected at most 300 pairs"):
        full.add_values("f.py", [f"value-{number}" for number in range(301)])


def test_a_path_under_tests_or_docs_makes_a_hit_potential() -> None:
    builder = CorpusIndexBuilder(KEY)
    builder.add("src/app.py", 'email = "kt77@fernpost.nz"')
    builder.add("tests/test_app.py", 'email = "kt77@fernpost.nz"')
    builder.add("src/settings.go", 'package a\nvar token = "Heron-771-Quay"')
    index = builder.build()
    assert index.lookup("kt77@fernpost.nz").status is Status.POTENTIAL
    assert index.lookup("KT77@Fernpost.NZ").count == 2
    assert index.lookup("Heron-771-Quay").status is Status.VERIFIED
    assert index.lookup("heron-771-quay").status is Status.UNVERIFIED


def test_paths_of_tests_and_documents() -> None:
    tests = [
        "tests/a.py",
        "src/test/java/A.java",
        "a/__tests__/b.js",
        "docs/x.html",
        "README.md",
        "a_test.go",
        "b.spec.js",
        "UserTest.java\n    ",
        "pkg/testdata/x.json",
        "test_user.py",
        "examples/demo.py",
        "notes.rst",
        "conftest.py",
        "Readme",
        "src\\tests\\a.py",
    ]
    code = [
        "src/a.py",
        "contest.py",
        "latest/b.js",
        "attest.go",
        "src/Tester/a.java",
        "protest.java",
        "data/users.csv",
        "specimen/a.py",
    ]
    assert [path for path in map(str.strip, tests) if not is_test_or_doc(path)] == []
    assert [path for path in code if is_test_or_doc(path)] == []


def test_values_are_compared_in_one_form() -> None:
    assert normalise(" +86 138-1108-5372 ") == normalise("8613811085372") == "8613811085372"
    assert normalise("Jo\u00a0 Quill") == "Jo Quill"
    assert normalise("12-3") == "12-3"
    assert normalise("A@B.c") == "a@b.c"
    assert normalise("Pass-Word") != normalise("password")
    assert keys_of('Ask kt77@fernpost.nz, or "K-4471".') == {
        *('Ask kt77@fernpost.nz, or "K-4471".', "kt77@fernpost.nz", "K-4471"),
    }
    found = fields('name,phone\nOdessa Quill,021-883-0911\nuser: kt77\nTOKEN=\'a,b\'\n{"pin": "6729"}')
    assert {"Odessa Quill", "021-883-0911", "kt77", "TOKEN", "a,b", "pin", "6729"} <= set(found)


def test_records_of_one_file_are_kept_apart() -> None:
    builder = CorpusIndexBuilder(KEY)
    builder.add("people.csv", "Odessa Quill,kt77@fernpost.nz", record="1")
    builder.add("people.csv", "Hemi Rautahi,hemi@fernpost.nz", record="2")
    index = builder.build()
    first, second = index.lookup("Odessa Quill").records, index.lookup("Hemi Rautahi").records
    assert first == index.lookup("kt77@fernpost.nz").records
    assert len(first) == len(second) == 1 and first != second
    assert index.lookup("Odessa Quill").count == 1


def test_the_false_positive_rate_is_that_of_64_bits() -> None:
    index = decoy_index()
    assert len(index.keys) == 3
    assert index.false_positive_rate == 3 / 2**64
    assert not any(index.lookup(f"absent-{number}").count for number in range(2_000))


def test_a_stored_index_answers_alike_and_holds_no_text(tmp_path: Path) -> None:
    index, path = decoy_index(), tmp_path / "index.npz"
    save_index(index, path)
    loaded = load_index(path, KEY)
    for value in DECOYS:
        mine, its = index.lookup(value), loaded.lookup(value)
        assert (mine.count, mine.records, mine.in_tests) == (its.count, its.records, its.in_tests)
        assert index.digest(value) == loaded.digest(value)
    assert loaded.lookup("decoy-once-8812").paths == (index.hasher.digest(b"path", "src/file_0.py"),)
    with zipfile.ZipFile(path) as stored:
        contents = b"".join(stored.read(name) for name in stored.namelist())
    for text in (*DECOYS, "src/file_0.py", "file_0"):
        for coding in ("utf-8", "utf-16-le", "utf-32-le"):
            assert text.encode(coding) not in contents
    assert KEY not in contents
    again = tmp_path / "again.npz"
    save_index(loaded, again)
    assert load_index(again, KEY).lookup("decoy-once-8812").paths == loaded.lookup("decoy-once-8812").paths


def test_a_damaged_or_foreign_index_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "index.npz"
    with pytest.raises(InputError, match="missing or damaged"):
        load_index(path, KEY)
    save_index(decoy_index(), path)
    with pytest.raises(InputError, match="another key"):
        load_index(path, KEY[::-1])
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match="missing or damaged"):
        load_index(path, KEY)
    with pytest.raises(InputError, match="16 to 64 bytes, got 3"):
        CorpusIndexBuilder(b"abc")
    assert "decoy" not in repr(decoy_index())


@pytest.mark.parametrize(
    ("language", "source", "value", "adds"),
    [
        ("python", 'x = {"pin": "6729"}\n', "6729", False),
        ("javascript", 'f({ pin: "6729" });', "6729", False),
        ("java", 'class A { String x = "6729"; }', "6729", False),
        ("go", 'package a\nvar x = "6729"\n', "6729", False),
        ("python", "x = {'pin': 6729}\n", "6729", True),
        ("javascript", "f({ pin: 6729 });", "6729", True),
        ("java", "class A { int x = 6729; }", "6729", True),
        ("go", "package a\nvar x = 6729\n", "6729", True),
        ("python", 'x = "6729"\ny = (\n', "6729", False),
        ("python", 'x = "6729"\n', '"6729"', True),
    ],
)
def test_redactions_that_break_code_are_seen(language: Language, source: str, value: str, adds: bool) -> None:
    start = source.index(value)
    check = check_redaction(source, language, [Span("PIN", start, start + len(value))])
    assert check.adds_errors is adds
    assert (check.before > 0) is source.endswith("(\n")


def test_the_replacement_may_be_a_function_of_the_span() -> None:
    source, spans = 'a = 6729\nb = "81"\n', [Span("PIN", 14, 16), Span("PIN", 4, 8)]
    assert check_redaction(source, "python", spans, lambda span: "0" * (span.end - span.start)).after == 0
    assert check_redaction(source, "python", spans, lambda span: "[[").after > 0
    with pytest.raises(InputError, match="not overlap"):
        check_redaction(source, "python", [Span("PIN", 4, 8), Span("PIN", 6, 9)])
    with pytest.raises(InputError, match="within 18 characters"):
        check_redaction(source, "python", [Span("PIN", 4, 80)])


def test_echoes_are_what_the_prompt_gave() -> None:
    shown = ["Write a function.", 'email = "<EMAIL>"', "kt77@fernpost.nz", "+86 138-1108"]
    assert is_echo("KT77@fernpost.nz", shown)
    assert is_echo("kt77", shown)
    assert is_echo("akt77@fernpost.nz", shown)
    assert not is_echo("kt77@fernpost.nz.gorsewick.org", shown)
    assert not is_echo("+86 138 1108 5372", shown)
    assert not is_echo("odessa@fernpost.nz", shown)
    assert not is_echo("...", shown)


class ScoringTarget:
    """Scores each piece of text with the value that a table gives."""

    name, scores_text = "scripted", True

    def __init__(self, nll: dict[str, float]) -> None:
        self.nll, self.pairs = nll, list[tuple[Prompt, str]]()

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        raise AssertionError("nothing is generated here")

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        self.pairs += pairs
        out = []
        for _, text in pairs:
            # Two tokens with the wanted mean.
            log_probs = -self.nll[text.strip()] + np.array([-0.5, 0.5])
            out.append(TokenScores((1, 2), log_probs, np.zeros(2), np.ones(2)))
        return out


LINE = 'user.email = "wren@tidewell.org"'
#            user . email = " wren @ tidewell . org "
NLL = {"user": 1.0, ".": 1.5, "email": 2.0, "=": 0.5, '"': 4.0, "wren": 9.0, "@": 3.0, "tidewell": 8.0, "org": 6.0}


def instance(line: str = LINE, value: str = "wren@tidewell.org", attribute: str = "email") -> Instance:
    start = line.index(value)
    return Instance(attribute, line, start, start + len(value))


def test_the_lowest_quartile_is_template() -> None:
    assert [LINE[start:end] for start, end in pieces(LINE)] == [
        *("user", ".", "email", " =", ' "', "wren", "@", "tidewell", ".", "org", '"'),
    ]
    target = ScoringTarget(NLL)
    (nll,) = pseudo_nll([LINE], target)
    assert nll.tolist() == [1.0, 1.5, 2.0, 0.5, 4.0, 9.0, 3.0, 8.0, 1.5, 6.0, 4.0]
    # Sorted: .5 1 1.5 1.5 2 3 4 4 6 8 9. Of eleven values the quartile is at place 2.5: (1.5 + 1.5) / 2.
    division = divide(instance(), nll)
    assert division.template == "user.<EMAIL> =<EMAIL>.<EMAIL>".replace("=<", "= <")
    assert division.fragments == ("email", "wren@tidewell", "org")
    assert target.pairs[3] == ("\nuser.email", " =")
    assert "wren" not in repr(division) and "wren" not in repr(instance())
    with pytest.raises(InputError, match="each of 11 pieces, got 2"):
        divide(instance(), np.array([1.0, 2.0]))


def test_a_target_without_likelihoods_builds_no_library() -> None:
    target = ScoringTarget(NLL)
    target.scores_text = False
    with pytest.raises(NotMeasurable):
        build_library([instance()], target)


def test_isolated_features_are_noise() -> None:
    texts = ["email = <EMAIL>", "email: <EMAIL>", "EMAIL=<EMAIL>", "zzqx!!"]
    labels = cluster(texts)
    assert labels[0] == labels[1] == labels[2] >= 0 and labels[3] == -1
    assert cluster([]).tolist() == []
    assert np.allclose(np.linalg.norm(hashed_n_grams(texts), axis=1), 1.0)


def test_clusters_go_to_the_attribute_with_the_nearest_prototype() -> None:
    places = {"p-mail": 0.0, "p-phone": 90.0, "near mail": 2.0, "near phone": 88.0, "between": 45.0}

    def encode(texts: Sequence[str]) -> NDArray[np.float64]:
        angles = np.radians([places[text] for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1)

    prior = FeatureLibrary({}, {"email": ("p-mail",), "phone": ("p-phone",)})
    text = 'a = "near mail" + "near phone"'
    # Every third piece is template, so that the two fragments come out whole.
    nll = {"near": 5.0, "mail": 5.0, "phone": 5.0, "a": 0.1, "=": 0.1, '"': 5.0, "+": 0.1}
    built = build_library(
        [instance(text, "near mail", "password")], ScoringTarget(nll), FeatureEncoder("toy", encode, 0.6), prior
    )
    assert built.fragments == {"email": ("p-mail", "near mail"), "phone": ("p-phone", "near phone")}
    assert prior.fragments["email"] == ("p-mail",)


def test_a_cluster_far_from_all_prototypes_goes_to_the_attribute_of_its_leaks() -> None:
    """By n-grams two addresses of one domain are nearer to a street than to "@gmail.com"."""
    lines = [f'email = "{name}@gorsewick.org"' for name in ("tamsin.oakleaf", "oakleaf.tamsin")]
    leaks = [instance(line, line[9:-1]) for line in lines]
    nll = [
        np.array([0.5 if text[a:b].strip() in ("email", "=", '"') else 9.0 for a, b in pieces(text)]) for text in lines
    ]
    built, prior = library_of(leaks, nll), prior_library()
    added = {key: set(rows) - set(prior.fragments[key]) for key, rows in built.fragments.items()}
    assert {key: rows for key, rows in added.items() if rows} == {"email": {line[9:-1] for line in lines}}


def test_hints_are_drawn_without_repetition() -> None:
    library = prior_library()
    assert set(library.templates) == set(ATTRIBUTE_KEYS)
    hints = library.hints("email", 2, np.random.default_rng(3))
    assert len(set(hints)) == 4
    assert hints == library.hints("email", 2, np.random.default_rng(3))
    assert len(library.hints("email", 99, np.random.default_rng(3))) == 6
    assert library.hints("email", 0, np.random.default_rng(3)) == []
    assert "gmail" not in repr(library)


ATTRIBUTE_KEYS = [
    *("email", "phone", "date_of_birth", "credit_card", "bank", "password", "pin", "biometric", "secret_key"),
    *("username", "identity", "medical", "political", "address", "name"),
]
