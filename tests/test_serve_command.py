"""`reticent serve` as a process: what it says, what it loads, how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import serve_golden as golden
import yaml
from serve_upstream import Scripted, says, stream_head, until

from reticent import cli
from reticent.commands.serve import DEMO
from reticent.key_files import write_key
from reticent.policy.checked_settings import settings_of
from reticent.policy.file_format import PolicyFile, RecognizerFormat
from reticent.policy.loading import policy_from
from reticent.policy.options import HoldLimits, SecondLooks
from reticent.policy.policy import Policy
from reticent.policy.verdict import Origin
from reticent.serve.config import load
from reticent.serve.metrics_port import MetricsPort
from reticent.serve.proxy import Proxy
from reticent.serve.sockets import close_all, listen
from reticent_detectors.errors import InputError

ROOT = Path(__file__).resolve().parent.parent


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "reticent", *arguments]


def environment(**more: str) -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / root) for root in ("guard", "detectors", "kernels", "benchmarks"))
    return {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", **more}


def output(*arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, timeout=60, env=environment(), cwd=ROOT
    )
    return done.returncode, done.stdout, done.stderr


def output_here(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The same in this process, where nothing is imported anew."""
    try:
        code = cli.main(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    return code, *capsys.readouterr()


@contextmanager
def serving(upstream: str, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    line = command("serve", "--upstream", upstream, "--port", str(port), "--metrics-port", "0", *arguments)
    process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True, env=environment(), cwd=ROOT)
    try:
        with httpx.Client(trust_env=False) as client:
            assert until(lambda: _alive(client, port), 90.0)  # several workers on a busy machine
        yield process, port
    finally:
        process.terminate()  # not killed: workers of a killed server stay
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
        if process.stderr is not None:
            process.stderr.close()


def _alive(client: httpx.Client, port: int) -> bool:
    try:
        return client.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    except httpx.HTTPError:
        return False


def test_check_reads_everything_and_says_the_tier(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = output("serve", "--upstream", "http://127.0.0.1:1", "--check")
    assert (code, out.startswith("The settings are good. tier text: it cannot tell")) == (0, True)
    golden.INDEX.save(tmp_path / "r.index")
    write_key(tmp_path / "r.key", golden.INDEX.key)
    config = tmp_path / "c.yaml"
    config.write_text(
        f"upstream: {{url: http://127.0.0.1:1}}\nrecords: {{index: {tmp_path}/r.index, key_file: {tmp_path}/r.key}}\n"
    )
    code, out, _ = output_here(capsys, "serve", "--config", str(config), "--check")
    assert (code, "tier records: it stops the 3 values" in out) == (0, True)
    code, out, _ = output_here(capsys, "serve", "--upstream", "http://127.0.0.1:1", "--model", "m", "--check")
    assert (code, "tier logprobs" in out) == (0, True), out


def test_check_names_the_records_and_the_policy_of_a_model_in_this_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden.INDEX.save(tmp_path / "r.index")
    write_key(tmp_path / "r.key", golden.INDEX.key)
    (tmp_path / "c.yaml").write_text(
        "policies: {strict: sealed}\nkeys: [{key: a-long-key, policy: strict}, {key: another-key}]"
    )
    more = ("--records", str(tmp_path / "r.index"), "--check")
    for line, named in ((("--policy", "sealed"), "policy 'sealed'"), ((), "policy 'default'"),
                        (("--config", str(tmp_path / "c.yaml")), "policies 'default', 'strict'")):  # fmt: skip
        for form in (
            ("--demo",),
            ("--upstream", "http://127.0.0.1:1"),
            ("--upstream", "http://127.0.0.1:1", "--model", "m"),
        ):
            code, out, _ = output_here(capsys, "serve", *form, *line, *more)
            assert (code, "it stops the 3 values of the records index" in out) == (0, True), out
            assert out.endswith(f"; {named}.\n"), out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "upstream"),
        (("--upstream", "http://127.0.0.1:1", "--host", "0.0.0.0"), "loopback"),
        (("--upstream", "http://127.0.0.1:1", "--bundle", "b", "--check"), "--model NAME"),
        (("--upstream", "http://127.0.0.1:1", "--demo"), "--demo"),
        (("--demo", "--base-model", "self"), "--base-model"),
        (("--upstream", "http://127.0.0.1:1", "--base-model", "self"), "--base-model goes with"),
        (("--upstream", "http://127.0.0.1:1", "--port", "9464", "--check"), "--metrics-port"),
    ],
)
def test_bad_settings_are_one_line(
    arguments: tuple[str, ...], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = output_here(capsys, "serve", *arguments)
    assert (code, out, err.startswith("error: "), err.count("\n"), expected in err) == (2, "", True, 1, True)


def test_a_preset_or_file_and_an_index_are_taken_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden.INDEX.save(tmp_path / "r.index")
    write_key(tmp_path / "r.key", golden.INDEX.key)
    (tmp_path / "own.yaml").write_text("entities: {DEFAULT: {unknown: block}}")
    up = ("serve", "--upstream", "http://127.0.0.1:1", "--check")
    for name, action in (("sealed", "redact"), (str(tmp_path / "own.yaml"), "block"), ("default", "flag")):
        code, out, _ = output_here(capsys, *up, "--policy", name, "--records", str(tmp_path / "r.index"))
        assert (code, "it stops the 3 values" in out, f"(action: {action})" in out) == (0, True, True), out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--policy", "seald"), "Did you mean 'sealed'"),
        (("--policy", "own.yaml"), "Cannot read a policy from 'own.yaml': No such file"),
        (("--records-key-file", "r.key"), "goes with --records"),
        (("--records", "none.index"), "reticent index"),
        (("--records", "people.csv"), "reticent index people.csv"),
    ],
)
def test_a_policy_or_index_that_is_not_there_is_one_line(
    arguments: tuple[str, ...], expected: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    code, _, err = output_here(capsys, "serve", "--upstream", "http://127.0.0.1:1", "--check", *arguments)
    assert (code, err.startswith("error: "), err.count("\n")) == (2, True, 1) and expected in err, err


def test_a_policy_for_everybody_is_refused_beside_keys(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("upstream: {url: 'http://127.0.0.1:1'}\nkeys: [{key: 0123456789}]")
    code, _, err = output_here(capsys, "serve", "--config", str(tmp_path / "c.yaml"), "--policy", "sealed", "--check")
    assert (code, "the settings have 'keys'" in err) == (2, True), err


def test_config_prints_every_setting_of_a_policy(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = output_here(capsys, "config", "--policy")
    assert code == 0
    for name, its in settings_of(PolicyFile).items():
        assert its.description and re.search(rf"^# {name}:.*# {re.escape(its.description)}$", out, re.M), name
    for inner in (HoldLimits, SecondLooks, RecognizerFormat):
        assert all(len(its.description or "") > 20 and its.description in out for its in settings_of(inner).values())
    assert all(f"##   {origin}: " in out for origin in Origin)
    parsed = yaml.safe_load(re.sub(r"(?m)^# ?", "", re.sub(r"(?m)^##.*$", "", out)))
    assert set(parsed) == set(settings_of(PolicyFile))
    del parsed["entities"], parsed["recognizers"]
    assert policy_from(parsed).digest_hex == Policy.default().digest_hex


def test_the_page_names_the_demos_model() -> None:
    assert f"`{DEMO}`" in (Path(__file__).resolve().parent.parent / "docs" / "serve.md").read_text()


def test_config_prints_the_template() -> None:
    code, out, _ = output("config")
    assert (code, "upstream:" in out) == (0, True)


def test_serving_loads_only_what_its_extra_brings() -> None:
    code = (
        "import sys, json\n"
        "from reticent.serve.proxy import Proxy\nfrom reticent.serve.app import create_app\n"
        "from reticent.serve.config import load\nimport reticent.commands.serve\n"
        "create_app(Proxy(load(environ={}, overrides={'upstream.url': 'http://127.0.0.1:1'})))\n"
        "print([m for m in ('torch', 'transformers', 'triton', 'tokenizers', 'cryptography') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.strip() == "[]"


def test_sigterm_lets_open_answers_finish_and_then_ends() -> None:
    upstream = Scripted()
    stream = golden.ollama(golden.HARMLESS)
    upstream.script = says(stream_head(), stream[:600], 1.0, stream[600:])
    with serving(upstream.url) as (process, port):
        url = f"http://127.0.0.1:{port}/v1/chat/completions"
        got = b""
        with (
            httpx.Client(trust_env=False, timeout=20) as client,
            client.stream("POST", url, json=golden.request_body(stream=True)) as response,
        ):
            for piece in response.iter_raw():
                if not got:
                    process.send_signal(signal.SIGTERM)
                got += piece
        assert got == stream
        process.wait(10)
        assert process.stderr is not None
        printed = process.stderr.read()
    upstream.close()
    assert re.match(r"reticent: http://127\.0\.0\.1:\d+ before http://127\.0\.0\.1:\d+; metrics on port \d+\n", printed)
    assert "Traceback" not in printed


def test_the_metrics_have_a_port_of_their_own() -> None:
    from prometheus_client import CollectorRegistry

    from reticent.observability.metrics import Metrics
    from reticent.serve.metrics_port import MetricsPort

    port = MetricsPort(Metrics(CollectorRegistry()), "127.0.0.1", 0)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port.port}", trust_env=False) as client:
            got = client.get("/metrics")
            assert 'reticent_failures_total{mode="closed",stage="frame"} 0.0' in got.text
            assert got.headers["content-type"].startswith("text/plain")
            assert client.get("/").status_code == 404
    finally:
        port.close()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_fresh_sidecar_has_a_small_exposition(workers: str) -> None:
    upstream = Scripted()
    with serving(upstream.url, "--workers", workers) as (process, _):
        assert process.stderr is not None
        found = re.search(r"metrics on port (\d+)", process.stderr.readline())
        assert found is not None
        shown = httpx.get(f"http://127.0.0.1:{found[1]}/metrics", trust_env=False, timeout=30).content
    upstream.close()
    assert b"reticent_failures_total" in shown and b'part="canary"' not in shown
    assert 5_000 < len(shown) <= 50_000


def test_a_scraper_that_goes_away_is_no_news(capfd: pytest.CaptureFixture[str]) -> None:
    class Slow:
        def render(self) -> tuple[bytes, str]:
            began.set()
            gone.wait(5)
            return b"x" * (1 << 24), "text/plain"

    began, gone = threading.Event(), threading.Event()
    port = MetricsPort(Slow(), "127.0.0.1", 0)
    with socket.create_connection(("127.0.0.1", port.port)) as scraper:
        scraper.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
        assert began.wait(5)
        scraper.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    gone.set()
    assert until(lambda: not any("process_request" in thread.name for thread in threading.enumerate()))
    port.close()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_taken_port_is_reported_before_anything_else(workers: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, out, err = output(
            "serve", "--upstream", "http://127.0.0.1:1", "--port", port, "--metrics-port", "0", "--workers", workers
        )
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert err.startswith(f"error: Cannot listen on 127.0.0.1:{port} (Address already in use). Give another --port")


def test_every_address_of_a_name_is_listened_on_and_a_free_port_is_found() -> None:
    for host in ("127.0.0.1", "localhost"):
        sockets = listen(host, 0)
        assert all(each.getsockname()[1] > 0 for each in sockets) and sockets
        close_all(sockets)
    with pytest.raises(OSError):
        listen("192.0.2.1", 0)


def test_a_taken_metrics_port_is_an_error_of_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        metrics = Proxy(load(environ={}, overrides={"upstream.url": "http://127.0.0.1:1"})).metrics
        with pytest.raises(InputError, match="Cannot listen"):
            MetricsPort(metrics, "127.0.0.1", taken.getsockname()[1])
