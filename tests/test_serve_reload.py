"""Reloads: under streams, refused, over workers, by a signal, a route and a watch; and what an administrator sees."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import serve_golden as golden
import uvicorn
import yaml
from serve_upstream import STRICT, ReceivedRequest, Running, Scripted, stream_head, until
from test_serve_command import serving
from test_serve_workers import children

from reticent.key_files import write_key
from reticent.observability.reload_metrics import ReloadOutcome
from reticent.policy.policy import Policy
from reticent.serve.app import create_app, prepared
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent.serve.reloading import (
    FileWatch,
    ParentGone,
    Reloader,
    ReloadResult,
    ReloadThread,
    SettingsSource,
    WorkerState,
    named_files,
    settings_for_restart,
)
from reticent.serve.running import _InThisProcess, _take_up
from reticent.serve.snapshot import SnapshotInputs
from reticent_detectors.errors import InputError

ADMIN = {"x-api-key": "admin-key-1"}
CLIENT = {"x-api-key": "client-key-1"}
OTHER = "j.doe@example.org"
TAGS: dict[str, Any] = {**STRICT, "redaction": "tag"}
MASKS: dict[str, Any] = {**STRICT, "redaction": "mask"}
KEYS: list[dict[str, Any]] = [
    {"key": "admin-key-1", "policy": "strict", "allow": ["admin"]},
    {"key": "client-key-1", "policy": "strict"},
]


def written(folder: Path, upstream: str, strict: object = TAGS, **more: Any) -> Path:
    """Settings in a file, for two keys."""
    settings = {
        "upstream": {"url": upstream, "connect_seconds": 60},
        "keys": KEYS,
        "policies": {"strict": strict},
        **more,
    }
    path = folder / "serve.yaml"
    path.write_text(yaml.safe_dump(settings))
    return path


def reloader_of(source: SettingsSource, proxy: Proxy) -> Reloader:
    """As `running.run` makes it."""
    version = proxy.snapshot.version
    return Reloader(source, proxy.settings, version, partial(prepared, proxy), partial(_take_up, proxy))


def counts(reloader: Reloader) -> dict[str, float]:
    """Reloads by their outcome, without those that there were none of."""
    reloads = next(iter(reloader.metrics.collect()))
    return {each.labels["outcome"]: each.value for each in reloads.samples if each.value}


class Reloading(Running):
    """A proxy in a thread that reloads as `running.run` has it reload."""

    def __init__(self, config: Path) -> None:
        source = SettingsSource(config)
        proxy = Proxy(source.read())
        self.reloader = reloader_of(source, proxy)
        super().__init__(proxy)

    def config(self) -> uvicorn.Config:
        app = create_app(self.proxy, reloads=_InThisProcess(self.reloader, self.proxy))
        return uvicorn.Config(app, host="127.0.0.1", port=0, ws="none", log_level="warning", backlog=512)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


@contextmanager
def reloading(config: Path) -> Iterator[Reloading]:
    running = Reloading(config)
    try:
        yield running
    finally:
        running.close()


def chunk(text: str, finish: str | None = None) -> bytes:
    top = {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return golden.event({**top, "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]})


# Under streams


def test_200_streams_go_on_over_reloads_and_none_mixes_two_versions(tmp_path: Path) -> None:
    """Each says two values, one before and one after reloads; both are redacted as the version does it began with."""
    began, go_on = threading.Semaphore(0), threading.Event()

    def script(asked: ReceivedRequest) -> Iterator[bytes | float]:
        yield stream_head() + chunk(f"Write to {golden.EMAIL} or so. ") + chunk("And then there is also ")
        began.release()
        go_on.wait(60)
        yield chunk(f"{OTHER} of theirs, ") + chunk("that is it.", "stop") + b"data: [DONE]\n\n"

    upstream = Scripted()
    upstream.script = script
    many = {"limits": {"inflight": 400}}  # half of it for one key
    with reloading(written(tmp_path, upstream.url, **many)) as running:
        versions = [running.reloader.version]

        def turn(strict: object) -> None:
            written(tmp_path, upstream.url, strict, **many)
            assert running.reloader.reload("a test").outcome is ReloadOutcome.RELOADED
            versions.append(running.reloader.version)

        def turns() -> None:
            for number in range(6):  # while streams begin
                assert all(began.acquire(timeout=20) for _ in range(25))
                turn((MASKS, TAGS)[number % 2])
            assert all(began.acquire(timeout=20) for _ in range(50))
            turn(MASKS)  # while all are open
            go_on.set()

        async def stream(client: httpx.AsyncClient, number: int) -> tuple[str, bytes]:
            await asyncio.sleep(number / 100)
            body = golden.request_body(stream=True)
            async with client.stream("POST", "/v1/chat/completions", json=body, headers=CLIENT) as response:
                assert response.status_code == 200
                return response.headers["x-reticent-version"], await response.aread()

        async def all_streams() -> list[tuple[str, bytes]]:
            limits = httpx.Limits(max_connections=None)
            url = f"http://127.0.0.1:{running.port}"
            async with httpx.AsyncClient(base_url=url, limits=limits, timeout=60, trust_env=False) as client:
                return await asyncio.gather(*(stream(client, number) for number in range(200)))

        turning = threading.Thread(target=turns, daemon=True)
        turning.start()
        try:
            got = asyncio.run(all_streams())
        finally:
            go_on.set()
        turning.join(20)
        assert running.count("requests_total", outcome="redacted", stream="true") == 200
        assert running.count("inflight_streams") == 0
    upstream.close()
    assert len(got) == 200 and len(versions) == 8 and len(set(versions)) == 2
    said = "Write to {} or so. And then there is also {} of theirs, that is it."
    tagged = said.format("<EMAIL_ADDRESS>", "<EMAIL_ADDRESS>")
    masked = said.format("████", "████")
    expected = dict(zip(versions[:2], (tagged, masked), strict=True))
    assert {version for version, _ in got} == set(expected)  # both were begun with
    for version, body in got:
        assert (golden.said(body), golden.reasons(body)) == (expected[version], ["stop"])


# Refused


@pytest.mark.parametrize(
    ("more", "outcome", "expected"),
    [
        ({"policies": {"strict": {"preset": "no-such"}}}, ReloadOutcome.INVALID, "Unknown preset"),
        ({"records": {"index": "no/such.index", "key_file": "no"}}, ReloadOutcome.INVALID, "no/such.index"),
        ({"keys": [{"key": "a-new-secret-key", "policy": "absent"}]}, ReloadOutcome.INVALID, "o policy 'absent'"),
        ({"detector": {"models": ["m"], "bundle": "no/bundle"}}, ReloadOutcome.NEEDS_RESTART, "detector"),
        ({"limits": {"inflight": 7}, "port": 1}, ReloadOutcome.NEEDS_RESTART, "port, limits.inflight"),
        ({"keys": []}, ReloadOutcome.NEEDS_RESTART, "keys (from none to some"),
    ],
)
def test_what_cannot_be_served_is_refused_whole(
    tmp_path: Path, more: dict[str, Any], outcome: ReloadOutcome, expected: str, caplog: pytest.LogCaptureFixture
) -> None:
    source = SettingsSource(written(tmp_path, "http://127.0.0.1:9"))
    proxy = Proxy(source.read())
    before = proxy.snapshot
    reloader = reloader_of(source, proxy)
    written(tmp_path, "http://127.0.0.1:9", **{"strict": MASKS, **more})
    result = reloader.reload("a test")
    assert (result.outcome, result.version, proxy.snapshot) == (outcome, before.version, before)
    assert expected in result.problem and expected in caplog.text
    assert "a-new-secret-key" not in caplog.text + result.problem
    counted = {
        tuple(each.labels.values()): each.value for family in reloader.metrics.collect() for each in family.samples
    }
    assert counted[(outcome.value,)] == 1 and counted[(before.version,)] == 1
    written(tmp_path, "http://127.0.0.1:9", MASKS)
    assert reloader.reload("a test").outcome is ReloadOutcome.RELOADED and proxy.snapshot is not before
    assert reloader.reload("a test").outcome is ReloadOutcome.UNCHANGED
    asyncio.run(proxy.aclose())


def test_a_corrected_list_key_alone_is_taken_up(tmp_path: Path) -> None:
    right, wrong = bytes(16), bytes(15) + b"1"
    listed = {"deny_list": [f"hash:{Policy(list_key=right).digest(OTHER, 'EMAIL_ADDRESS')}"]}
    source = SettingsSource(written(tmp_path, "http://127.0.0.1:9", {**listed, "list_key": wrong.hex()}))
    proxy = Proxy(source.read())
    reloader = reloader_of(source, proxy)
    written(tmp_path, "http://127.0.0.1:9", {**listed, "list_key": right.hex()})
    assert reloader.reload("a test").outcome is ReloadOutcome.RELOADED
    assert proxy.snapshot.policies["strict"].list_key == right
    asyncio.run(proxy.aclose())


def test_a_canary_that_could_not_be_asked_refuses_the_reload(tmp_path: Path) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Whose is it?"}]}
    canary = {"canary": {"value": golden.EMAIL, "body": body}}
    detector = {"detector": {"models": ["m"]}}
    source = SettingsSource(written(tmp_path, "http://127.0.0.1:9", **canary, **detector))
    proxy = Proxy(source.read())
    reloader = reloader_of(source, proxy)
    written(tmp_path, "http://127.0.0.1:9", **canary, detector={"models": ["other"]})
    result = reloader.reload("a test")
    assert (result.outcome, "canary's request would be refused" in result.problem) == (ReloadOutcome.INVALID, True)
    asyncio.run(proxy.aclose())


# The version


def test_the_version_is_that_of_the_contents(tmp_path: Path) -> None:
    golden.INDEX.save(tmp_path / "a.index")
    write_key(tmp_path / "a.key", golden.INDEX.key)
    (tmp_path / "b.index").write_bytes((tmp_path / "a.index").read_bytes())
    write_key(tmp_path / "b.key", golden.INDEX.key)

    def version(**more: Any) -> str:
        proxy = Proxy(SettingsSource(written(tmp_path, "http://127.0.0.1:9", **more)).read())
        asyncio.run(proxy.aclose())
        return proxy.snapshot.version

    listed: dict[str, Any] = {**TAGS, "list_key": "00" * 32, "deny_list": [OTHER]}
    kinds: list[dict[str, Any]] = [
        {},
        {"strict": MASKS},
        {"strict": listed},
        {"strict": {**listed, "deny_list": [golden.EMAIL]}},
        {"records": {"index": str(tmp_path / "a.index")}},
        {"keys": [KEYS[0], {**KEYS[1], "key": "client-key-2"}]},
        {"keys": [KEYS[0], {**KEYS[1], "may_choose": ["sealed"]}]},
    ]
    versions = [version(**more) for more in kinds]
    assert len(set(versions)) == len(kinds) and all(len(each) == 16 for each in versions)
    assert [version(**more) for more in kinds] == versions
    assert version(records={"index": str(tmp_path / "b.index")}) == versions[4]
    assert version(port=1, limits={"inflight": 3}) == versions[0]


def test_what_was_packed_serves_the_same(tmp_path: Path) -> None:
    golden.INDEX.save(tmp_path / "a.index")
    write_key(tmp_path / "a.key", golden.INDEX.key)
    more: dict[str, Any] = {"records": {"index": str(tmp_path / "a.index")}, "detector": {"models": ["m"]}}
    settings = SettingsSource(
        written(tmp_path, "http://127.0.0.1:9", {**TAGS, "deny_list": [OTHER]}, **more)  # a list without a key
    ).read()
    inputs = SnapshotInputs.read(settings)
    again = SnapshotInputs.unpacked(inputs.packed())
    first, second = (Proxy(settings, inputs=each) for each in (inputs, again))
    assert first.snapshot.version == second.snapshot.version
    assert second.records is not None and second.records.contains(golden.EMAIL, "EMAIL_ADDRESS")
    assert "admin-key-1" not in repr(inputs) and golden.INDEX.key.hex() not in repr(inputs)
    for proxy in (first, second):
        asyncio.run(proxy.aclose())


def test_a_snapshot_is_freed_with_its_last_request(tmp_path: Path) -> None:
    source = SettingsSource(written(tmp_path, "http://127.0.0.1:9"))
    proxy = Proxy(source.read())
    old, caller = weakref.ref(proxy.snapshot), proxy.caller([(b"x-api-key", b"client-key-1")])
    proxy.use(proxy.prepare(SnapshotInputs.read(proxy.settings)), 1.0)
    assert old() is caller.snapshot
    del caller
    assert old() is None
    asyncio.run(proxy.aclose())


# Which files are looked at


def test_a_watch_reports_new_contents_once_they_have_settled(tmp_path: Path) -> None:
    path, absent = tmp_path / "a", tmp_path / "absent"
    path.write_text("one")
    watch = FileWatch(lambda: [path, absent])
    watch.remember()
    assert not watch.changed()
    path.write_text("three")
    assert [watch.changed() for _ in range(3)] == [False, True, False]
    os.utime(path, ns=(1, 1))
    assert [watch.changed() for _ in range(2)] == [False, False]  # the same contents
    absent.write_text("")
    path.write_text("four!")
    assert not watch.changed()
    path.write_text("five!!")  # still being written
    assert [watch.changed() for _ in range(2)] == [False, True]


def test_a_file_that_is_named_later_is_remembered_as_it_is(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a", "b")]
    for path in paths:
        path.write_text("one")
    named = paths[:1]
    watch = FileWatch(lambda: named)
    watch.remember()
    named.append(paths[1])
    paths[0].write_text("three")  # since it was remembered
    watch.remember_new()
    assert [watch.changed() for _ in range(3)] == [False, True, False]
    watch.remember_new()
    assert [watch.changed() for _ in range(2)] == [False, False]
    del named[0]
    watch.remember_new()
    assert [watch.changed() for _ in range(2)] == [False, False]


def test_a_newly_named_file_is_read_once_and_a_broken_one_again_when_it_is_mended(tmp_path: Path) -> None:
    policy = tmp_path / "p.yaml"
    policy.write_text("deny_list: [")
    source = SettingsSource(written(tmp_path, "http://127.0.0.1:9", watch_seconds=1))
    proxy = Proxy(source.read())
    reloader = reloader_of(source, proxy)
    reloader.start_watch()

    def looked() -> dict[str, float]:
        for _ in range(4):
            reloader.look()
        return counts(reloader)

    written(tmp_path, "http://127.0.0.1:9", str(policy), watch_seconds=1)
    assert looked() == {"invalid": 1}
    policy.write_text("redaction: mask")
    assert looked() == {"invalid": 1, "reloaded": 1}
    asyncio.run(proxy.aclose())


@pytest.mark.parametrize(
    "text", ["deny_list: [hunter2]\n" * 300, "deny_list:\n- a/hunter2\n", "hunter2" * 100, "a/hunter2\0.yaml"]
)
def test_a_policy_in_place_of_its_name_ends_no_watch(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    source = SettingsSource(written(tmp_path, "http://127.0.0.1:9", watch_seconds=1))
    proxy = Proxy(source.read())
    reloader = reloader_of(source, proxy)
    reloader.start_watch()
    for strict, expected in ((text, {"invalid": 1}), (MASKS, {"invalid": 1, "reloaded": 1})):
        written(tmp_path, "http://127.0.0.1:9", strict, watch_seconds=1)
        for _ in range(4):
            reloader.look()
        assert counts(reloader) == expected
    assert "hunter2" not in caplog.text and "no preset of the given name" in caplog.text
    asyncio.run(proxy.aclose())


def test_a_look_that_breaks_off_is_counted_and_the_thread_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    source = SettingsSource(written(tmp_path, "http://127.0.0.1:9"))
    proxy = Proxy(source.read())
    reloader = reloader_of(source, proxy)

    def broken() -> None:
        raise OSError("hunter2")

    monkeypatch.setattr(reloader, "look", broken)
    thread = ReloadThread(reloader, 0.02)
    try:
        assert until(lambda: counts(reloader).get("failed", 0) >= 2, 20.0)
        thread.ask()
        assert until(lambda: counts(reloader).get("unchanged") == 1, 20.0)
    finally:
        thread.close()
    assert "a reload broke off with OSError" in caplog.text and "hunter2" not in caplog.text
    asyncio.run(proxy.aclose())


def test_the_files_of_the_settings_are_watched(tmp_path: Path) -> None:
    (tmp_path / "bundle").mkdir()
    (tmp_path / "bundle" / "manifest.json").write_text("{}")
    more = {
        "records": {"index": "r.index"},
        "detector": {"models": ["m"], "bundle": str(tmp_path / "bundle")},
        "policies": {"strict": "p.yaml", "other": "sealed"},
    }
    source = SettingsSource(written(tmp_path, "http://127.0.0.1:9", **more))
    names = {path.name for path in named_files(source, source.read())}
    assert names == {"serve.yaml", "p.yaml", "r.index", "r.key", "manifest.json"}


# An administrator


def test_an_administrator_sees_what_is_served_and_no_value(tmp_path: Path) -> None:
    golden.INDEX.save(tmp_path / "a.index")
    write_key(tmp_path / "a.key", golden.INDEX.key)
    listed = {**TAGS, "deny_list": [OTHER], "allow_list": ["555-0100"], "on_block": {"replace": "No such words."}}
    more = {"records": {"index": str(tmp_path / "a.index")}, "detector": {"models": ["m"]}}
    with reloading(written(tmp_path, "http://127.0.0.1:9", listed, **more)) as running:
        shown = running.get("/admin/config", **ADMIN)
        body, snapshot = shown.json(), running.proxy.snapshot
        assert (shown.status_code, shown.headers["cache-control"]) == (200, "no-store")
        assert body["version"] == snapshot.version == running.get("/v1/models", **ADMIN).headers["x-reticent-version"]
        strict = body["policies"]["strict"]
        assert strict["digest"] == snapshot.callers[0].policy.digest_hex
        assert (strict["counts"]["deny_list"] > 0, strict["settings"]["redaction"]) == (True, "tag")
        assert running.count("build_info", policy=strict["digest"], bundle=body["models"]["m"]) == 1
        assert body["keys"][0] == {"policy": "strict", "may_choose": [], "allow": ["admin"]}
        assert (body["records"]["values"], body["bundles"][0]["digest"]) == (3, body["models"]["m"])
        assert [each["process"] for each in body["workers"]] == [os.getpid()]
        for hidden in (OTHER, "555-0100", "admin-key-1", "client-key-1", "No such words", golden.INDEX.key.hex()):
            assert hidden not in shown.text
        for path, ask in (("/admin/config", running.client.get), ("/admin/reload", running.client.post)):
            assert ask(path, headers=CLIENT).status_code == 403
            assert ask(path).status_code == 401
        assert running.client.get("/admin/reload", headers=ADMIN).status_code == 405
        paths = [running.get("/openapi.json", **key).json()["paths"] for key in (ADMIN, CLIENT)]
        assert ["/admin/reload" in each for each in paths] == [True, False]
        # A key that is taken away is refused from then on, and a new one is known.
        written(tmp_path, "http://127.0.0.1:9", listed, **more, keys=[KEYS[0], {"key": "client-key-2"}])
        result = running.client.post("/admin/reload", headers=ADMIN)
        assert (result.status_code, result.json()["outcome"]) == (200, "reloaded")
        assert running.get("/openapi.json", **CLIENT).status_code == 401
        assert running.get("/openapi.json", x_api_key="client-key-2").status_code == 200
        running.proxy.metrics.register(running.reloader.metrics)
        text, _ = running.proxy.metrics.render()
        assert f'reticent_config_info{{version="{result.json()["version"]}"}} 1.0'.encode() in text
        assert b'reticent_reloads_total{outcome="reloaded"} 1.0' in text


class Held:
    """Reloads that wait until they are let go, and count how many run at once."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.running, self.most = 0, 0

    def reload(self) -> ReloadResult:
        self.running += 1
        self.most = max(self.most, self.running)
        self.begun.set()
        assert self.go_on.wait(30)
        self.running -= 1
        return ReloadResult(ReloadOutcome.UNCHANGED, "v")

    def workers(self) -> list[WorkerState]:
        raise ParentGone("It has ended.")


def test_reloads_that_wait_hold_one_thread_and_no_other_request(tmp_path: Path) -> None:
    reloads = Held()
    proxy = Proxy(SettingsSource(written(tmp_path, "http://127.0.0.1:9")).read())
    transport = httpx.ASGITransport(create_app(proxy, reloads=reloads))

    async def asked() -> tuple[list[httpx.Response], httpx.Response, httpx.Response]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=ADMIN) as client:
            waiting = [asyncio.create_task(client.post("/admin/reload")) for _ in range(4)]
            try:
                while not reloads.begun.is_set():
                    await asyncio.sleep(0.01)
                assert await asyncio.wait_for(asyncio.to_thread(lambda: True), 10)
            finally:
                reloads.go_on.set()
            reloaded = await asyncio.gather(*waiting)
            gone, refused = [await client.get("/admin/config", headers=key) for key in (ADMIN, CLIENT)]
        await proxy.aclose()
        return reloaded, gone, refused

    reloaded, gone, refused = asyncio.run(asked())
    assert ([each.status_code for each in reloaded], reloads.most) == ([200] * 4, 1)
    assert (gone.status_code, gone.json()["error"]["message"]) == (503, "It has ended.")
    assert refused.status_code == 403
    assert {each.headers["x-reticent-version"] for each in (*reloaded, gone, refused)} == {proxy.snapshot.version}


def test_an_administrator_has_a_key() -> None:
    with pytest.raises(InputError, match="'admin' needs a key"):
        load(environ={}, overrides={"upstream.url": "http://h", "allow": ["admin"]})
    one, other = (load(environ={}, overrides={"upstream.url": url}) for url in ("http://a", "http://b"))
    assert list(settings_for_restart(one, other)) == ["upstream.url"]


# Over workers


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for the workers in /proc")
def test_workers_reload_together_and_a_later_one_begins_with_the_newest_valid_version(tmp_path: Path) -> None:
    config = written(tmp_path, "http://127.0.0.1:9")
    with serving("http://127.0.0.1:9", "--config", str(config), "--workers", "2") as (process, port):
        client = httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=ADMIN, timeout=60, trust_env=False)

        def served() -> list[str]:
            return [each["version"] for each in client.get("/admin/config").json()["workers"]]

        assert until(lambda: len(served()) == 2, 60.0)
        (first,) = set(served())
        written(tmp_path, "http://127.0.0.1:9", MASKS)
        result = client.post("/admin/reload").json()
        assert result["outcome"] == "reloaded" and result["version"] != first
        assert served() == [result["version"]] * 2
        config.write_text("policies: [")
        refused = client.post("/admin/reload")
        assert (refused.status_code, refused.json()["outcome"]) == (422, "invalid")
        assert "no valid YAML" in refused.json()["problem"]
        process.send_signal(signal.SIGHUP)
        before = children(process.pid)
        os.kill(min(before), signal.SIGKILL)
        assert until(lambda: len(children(process.pid) - before) == 1 and len(served()) == 2, 60.0)
        assert served() == [result["version"]] * 2
        os.kill(max(children(process.pid)), signal.SIGHUP)  # as of a terminal that closes
        written(tmp_path, "http://127.0.0.1:9")
        process.send_signal(signal.SIGHUP)
        assert until(lambda: served() == [first] * 2, 60.0)
        client.close()


def test_a_signal_and_changed_files_reload_in_one_process(tmp_path: Path) -> None:
    config = written(tmp_path, "http://127.0.0.1:9")
    proxy = Proxy(SettingsSource(config).read())
    reloader = reloader_of(SettingsSource(config), proxy)
    thread = ReloadThread(reloader, 0.05)
    before = signal.signal(signal.SIGHUP, thread.ask)
    try:
        first = reloader.version
        written(tmp_path, "http://127.0.0.1:9", MASKS)
        assert until(lambda: reloader.version != first, 20.0)
        written(tmp_path, "http://127.0.0.1:9")
        signal.raise_signal(signal.SIGHUP)
        assert until(lambda: reloader.version == first, 20.0)
    finally:
        signal.signal(signal.SIGHUP, before)
        thread.close()
    asyncio.run(proxy.aclose())
