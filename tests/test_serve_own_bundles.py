"""Several models behind one server: each is judged by its own bundle, by the common one, or without a detector."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import logprob_server as server
import pytest
import serve_golden as golden
from serve_upstream import ReceivedRequest as Request
from serve_upstream import Running, Scripted, stream_head

from reticent.demo import assets
from reticent.serve.config import load
from reticent.serve.judging.detector_protocols import digest_of_all
from reticent.serve.judging.served_detector import ServedDetector
from reticent.serve.proxy import Proxy
from reticent.serve.settings import DetectorSettings
from reticent.serve.wire.errors import ApiError
from reticent.shipped import default_bundle
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.errors import InputError

CHAT = [{"role": "user", "content": "Which number do I dial for Daniel Brown?"}]
COMMON, OWN = default_bundle(), assets() / "bundle-logprobs"
MODELS: dict[str, Any] = {"models": ("common", "own", "plain"), "bundles": {"own": OWN, "plain": None}}


def test_a_detector_knows_which_bundle_judges_a_model() -> None:
    detector = ServedDetector(DetectorSettings(bundle=COMMON, **MODELS))
    own = detector.of("own")
    assert own is not None and detector.of("common") is detector and detector.of("plain") is None
    assert [each.digest for each in (detector, own)] == [Bundle.load(path).digest for path in (COMMON, OWN)]
    assert list(detector.others) == [own] and own.of("own") is own
    together = digest_of_all(detector)
    assert together not in (detector.digest, own.digest) and digest_of_all(own) == own.digest
    same = ServedDetector(DetectorSettings(bundle=COMMON, models=("a", "b"), bundles={"b": COMMON}))
    assert digest_of_all(same) == detector.digest
    assert "1 of 3 models have a bundle of their own" in detector.about
    assert "1 of 3 models have no detector" in detector.about
    with pytest.raises(ApiError):
        detector.of("another")


def test_a_bundle_of_no_model_is_refused() -> None:
    overrides = {"upstream.url": "http://127.0.0.1:1", "detector.models": ("a",), "detector.bundles": {"b": None}}
    with pytest.raises(InputError, match="'bundles' names 'b', which is not one of 'models'"):
        load(environ={}, overrides=overrides)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[Running, Scripted, Path]]:
    upstream, said = Scripted(), server.answer(CHAT)

    def script(asked: Request) -> Any:
        frames = [golden.event(chunk) for chunk in server.chat_chunks(said)]
        return iter([stream_head(), *frames, b"data: [DONE]\n\n"])

    upstream.script = script
    overrides = {
        "upstream.url": upstream.url, "decision_log.path": tmp_path / "decisions.jsonl", "policy": "long",
        "policies": {"long": {"hold": {"max_seconds": 60}}, "chosen": {"hold": {"max_seconds": 61}}},
        "may_choose": ("chosen",),
        **{f"detector.{name}": value for name, value in MODELS.items()},
    }  # fmt: skip
    proxy = Running(Proxy(load(environ={}, overrides=overrides)))
    yield proxy, upstream, tmp_path / "decisions.jsonl"
    proxy.close()
    upstream.close()


@pytest.mark.parametrize("choice", [{}, {"reticent": {"policy": "chosen"}}])
def test_each_model_is_judged_by_its_bundle_and_its_thresholds(
    running: tuple[Running, Scripted, Path], choice: dict[str, Any]
) -> None:
    proxy, upstream, log = running
    answers = {}
    for model in MODELS["models"]:
        answer = proxy.post({"model": model, "messages": CHAT, "stream": True, **choice})
        assert answer.status_code == 200
        answers[model] = golden.said(answer.content)
    assert ["logprobs" in each.json for each in upstream.asked] == [True, True, False]
    proxy.close()  # the log is written
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    decided = [row for row in rows if row.get("kind") == "decision"]
    assert [row["tier"] for row in decided] == ["logprobs", "logprobs", "text"]
    for row, path in zip(decided, (COMMON, OWN), strict=False):
        bundle = Bundle.load(path)
        detector = ServedDetector(DetectorSettings(bundle=path, models=("any",)))
        wanted = detector.with_thresholds(load_policy()).threshold(row["entity"])
        assert (row["bundle"], row["threshold"], row["action"]) == (bundle.digest, wanted, "redact")
    assert decided[0]["threshold"] != decided[1]["threshold"] and decided[0]["policy"] != decided[1]["policy"]
    assert (decided[2]["probability"], decided[2]["origin"], decided[2]["action"]) == (None, "unknown", "flag")
    assert not any(map(str.isdigit, answers["common"] + answers["own"])) and any(map(str.isdigit, answers["plain"]))


def load_policy() -> Any:
    settings = load(environ={}, overrides={"upstream.url": "http://127.0.0.1:1"})
    return settings.policy_objects()["default"]


def test_what_spoils_the_others_log_probabilities_is_refused_for_all(running: tuple[Running, Scripted, Path]) -> None:
    """One engine serves them all."""
    proxy, upstream, _ = running
    for model in ("own", "plain"):
        answer = proxy.post({"model": model, "messages": CHAT, "logprob_token_ids": [5]})
        assert answer.status_code == 400 and "logprob_token_ids" in answer.text
    assert proxy.post({"model": "another", "messages": CHAT}).status_code == 404 and not upstream.asked
