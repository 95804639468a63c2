"""The Helm chart and the Kustomize bases, without a cluster. What needs helm and the schemas is run by `make chart`."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry

from reticent import __version__
from reticent.observability.metrics import Metrics
from reticent.policy import strict_yaml
from reticent.serve.config import load
from reticent_bench.engines.servers import CHART

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
HELM = DEPLOY / "helm"
KUBERNETES = "1.34"
OWN_KINDS = ("ScaledObject", "ServiceMonitor")
"""Of KEDA and the Prometheus operator: Kubernetes has no schemas of them."""
SECRETS = {
    "settings": {
        "upstream": {"api_key": "${UPSTREAM_KEY}"},
        "tls": {"cert": "/etc/reticent-tls/tls.crt", "key": "/etc/reticent-tls/tls.key"},
        "policies": {"clinic": {"list_key": "${LIST_KEY}"}, "strict": "/etc/reticent/strict.yaml"},
        "limits": {"drain_seconds": 300, "stream_bytes": 134217728},
        "canary": {"value": "${CANARY}", "body": {}},
    },
    "files": {"strict.yaml": "preset: sealed\nmonitor: true\n"},
    "secretEnv": [
        {"name": name, "secret": "reticent", "key": name.lower()}
        for name in ("CLINIC_KEY", "UPSTREAM_KEY", "LIST_KEY", "CANARY")
    ],
    "secretFiles": [
        {"name": "records", "secret": "reticent-records", "path": "/etc/reticent-records"},
        {"name": "tls", "secret": "reticent-tls", "path": "/etc/reticent-tls"},
    ],
    "pod": {"nodeSelector": {"pool": "gateway"}, "priorityClassName": "high"},
    "podAnnotations": {"team": "privacy"},
    "imagePullSecrets": [{"name": "registry"}],
}
BEYOND_SCHEMAS = {
    "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
    "autoscaling": {"by": "keda"},
}
TEAM, VLLM = ({"matchLabels": {name: value}} for name, value in (("team", "apps"), ("app", "vllm")))
FOREIGN = {
    "networkPolicy": {
        "clients": [{"namespaceSelector": TEAM}],
        "monitoring": [],
        "upstreams": [
            {"namespace": "llm", "podSelector": VLLM, "port": 8000},
            {"namespace": "llm-large", "podSelector": VLLM, "port": 9000},
        ],
    },
    "settings": {"keys": [{"key": "${TEAM_KEY}", "policy": "clinic"}], "records": None},
    "secretEnv": [{"name": "TEAM_KEY", "secret": "team", "key": "key"}],
    "disruption": {"minAvailable": 1},
    "strategy": {"type": "Recreate"},
}
LARGE_INDEX = {
    "settings": {"records": {"index": "/etc/reticent-index/records.index"}},
    "extraVolumes": [{"name": "index", "persistentVolumeClaim": {"claimName": "records", "readOnly": True}}],
    "extraVolumeMounts": [{"name": "index", "mountPath": "/etc/reticent-index", "readOnly": True}],
}
VALUES: dict[str, dict[str, Any]] = {
    "gateway": {},
    "sidecar": yaml.safe_load((HELM / "sidecar.yaml").read_text()),
    "streams": {"autoscaling": {"by": "streams", "streams": 20}},
    "keda and an operator": BEYOND_SCHEMAS,
    "fixed, open to all": {"autoscaling": {"by": "none", "minReplicas": 3}, "networkPolicy": {"enabled": False}},
    "secrets": SECRETS,
    "nulls": {"settings": {"limits": None, "tls": None, "keys": None, "open": True, "policies": None}},
    "foreign labels": FOREIGN,
    "an index on a volume": LARGE_INDEX,
}
ENVIRON = {
    "CLINIC_KEY": "0123456789abcdef",
    "TEAM_KEY": "0123456789abcdef",
    "UPSTREAM_KEY": "fedcba9876543210",
    "LIST_KEY": "0" * 32,
    "CANARY": "212-555-0123",
}

engines = [
    pytest.mark.engines,
    pytest.mark.skipif(not CHART.is_there, reason="helm is not installed; `make chart` does it"),
]


def helm(*arguments: str, fails: bool = False) -> str:
    """What helm prints. `fails`: it has to fail."""
    program = CHART.folder / "helm/helm"
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout + done.stderr


def kustomize(folder: Path) -> list[dict[str, Any]]:
    program = CHART.folder / "kubectl/kubectl"
    return list(yaml.safe_load_all(subprocess.check_output([program, "kustomize", folder], text=True, timeout=60)))


Rendered = Callable[..., dict[str, dict[str, Any]]]


@pytest.fixture
def rendered(tmp_path: Path) -> Rendered:
    """The documents of the chart with values, by kind and name."""

    def render(values: dict[str, Any], namespace: str = "default") -> dict[str, dict[str, Any]]:
        (tmp_path / "values.yaml").write_text(yaml.safe_dump(values))
        text = helm(
            "template", "reticent", str(HELM / "reticent"), "-n", namespace, "-f", str(tmp_path / "values.yaml")
        )
        parts = map(strict_yaml.load, text.split("\n---\n"))  # refuses a repeated key
        return {f"{each['kind']} {each['metadata']['name']}": each for each in parts if each}

    return render


def valid(folder: Path, documents: list[dict[str, Any]]) -> None:
    """Asserts that Kubernetes' own schemas know every field."""
    (folder / "documents.yaml").write_text(yaml.safe_dump_all(documents))
    program = CHART.folder / "bin/kubernetes-validate"
    done = subprocess.run(
        [program, "-k", KUBERNETES, "--strict", "documents.yaml"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (done.stdout + done.stderr).count(" passed for resource ") == len(documents)


def pod_of(documents: dict[str, dict[str, Any]]) -> dict[str, Any]:
    template: dict[str, Any] = documents["Deployment reticent"]["spec"]["template"]
    return template


def guard_of(documents: dict[str, dict[str, Any]]) -> dict[str, Any]:
    (found,) = (each for each in pod_of(documents)["spec"]["containers"] if each["name"] == "reticent")
    return dict(found)


class TestWithHelm:
    pytestmark = engines

    @pytest.mark.parametrize("name", VALUES)
    def test_what_it_renders_fits_the_schemas(self, name: str, rendered: Rendered, tmp_path: Path) -> None:
        documents = rendered(VALUES[name])
        valid(tmp_path, [each for each in documents.values() if each["kind"] not in OWN_KINDS])
        assert not any(each["kind"] == "Secret" for each in documents.values())

    @pytest.mark.parametrize("name", VALUES)
    def test_the_guard_takes_the_settings_that_it_renders(self, name: str, rendered: Rendered, tmp_path: Path) -> None:
        documents = rendered(VALUES[name])
        data = documents["ConfigMap reticent"]["data"]
        (tmp_path / "reticent.yaml").write_text(data["reticent.yaml"])
        settings = load(tmp_path / "reticent.yaml", ENVIRON)
        guard, pod = guard_of(documents), pod_of(documents)["spec"]
        assert {each["name"]: each["containerPort"] for each in guard["ports"]} == {
            "api": settings.port,
            "metrics": settings.metrics_port,
        }
        stop = int(guard["lifecycle"]["preStop"]["exec"]["command"][1])
        assert pod["terminationGracePeriodSeconds"] == stop + settings.limits.drain_seconds + 10
        scheme = "HTTPS" if settings.tls else None
        assert {guard[f"{probe}Probe"]["httpGet"].get("scheme") for probe in ("startup", "liveness", "readiness")} == {
            scheme
        }
        mounted = {each["mountPath"] for each in guard["volumeMounts"]}
        named = re.findall(r"(/etc/[a-z-]+)/", data["reticent.yaml"])
        assert set(named) <= mounted
        ours = {each["mountPath"] for each in guard["volumeMounts"] if each["name"] not in ("config", "tmp")}
        assert ours <= set(named), "a Secret that the settings do not name"
        given = {each["name"] for each in guard["env"]}
        assert set(re.findall(r"\$\{(\w+)\}", data["reticent.yaml"])) <= given

    def test_what_is_given_does_not_merge_with_the_charts_own(self, rendered: Rendered) -> None:
        documents = rendered(FOREIGN)
        policy = documents["NetworkPolicy reticent"]["spec"]
        assert [rule["from"] for rule in policy["ingress"]] == [[{"namespaceSelector": TEAM}]]
        servers = [each["to"][0]["podSelector"] for each in policy["egress"][1:]]
        protected = [documents[f"NetworkPolicy reticent-upstream{end}"] for end in ("", "-2")]
        assert servers == [each["spec"]["podSelector"] for each in protected] == [VLLM, VLLM]
        assert [each["metadata"]["namespace"] for each in protected] == ["llm", "llm-large"]
        budget, deployment = (documents[f"{kind} reticent"]["spec"] for kind in ("PodDisruptionBudget", "Deployment"))
        assert (budget["minAvailable"], "maxUnavailable" in budget) == (1, False)
        assert deployment["strategy"] == {"type": "Recreate"}
        assert [each["name"] for each in guard_of(documents)["env"]] == ["TEAM_KEY"]
        assert "reticent-records" not in str(documents)

    def test_no_peer_means_no_rule(self, rendered: Rendered) -> None:
        lists: dict[str, Any] = {name: [] for name in ("clients", "monitoring", "dns", "upstreams")}
        policy = rendered({"networkPolicy": lists})["NetworkPolicy reticent"]["spec"]
        assert not policy["ingress"] and not policy["egress"] and len(policy["policyTypes"]) == 2

    def test_prometheus_finds_a_pod_once(self, rendered: Rendered) -> None:
        own = {"prometheus.io/port": "1", "prometheus.io/scrape": "false"}
        for monitor, given in ((False, {}), (True, {}), (False, own), (True, own)):
            documents = rendered({"serviceMonitor": {"enabled": monitor}, "podAnnotations": given})
            annotations = pod_of(documents)["metadata"]["annotations"]
            scraped = {} if monitor else {"prometheus.io/port": "9464", "prometheus.io/scrape": "true"}
            assert {name: annotations[name] for name in annotations if name != "checksum/settings"} == scraped | given

    def test_helm_has_nothing_to_say(self) -> None:
        for values in ([], ["-f", str(HELM / "sidecar.yaml")]):
            assert "1 chart(s) linted, 0 chart(s) failed" in helm("lint", "--strict", str(HELM / "reticent"), *values)

    def test_the_bases_are_what_the_chart_renders(self, tmp_path: Path) -> None:
        spec = importlib.util.spec_from_file_location("manifests", HELM / "manifests.py")
        assert spec is not None and spec.loader is not None
        manifests = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(manifests)
        for form, arguments in manifests.FORMS.items():
            folder = DEPLOY / "kubernetes" / form
            made = manifests.files(str(CHART.folder / "helm/helm"), arguments)
            assert {path.name for path in folder.iterdir()} == {*made, "kustomization.yaml"}
            for name, text in made.items():
                assert (folder / name).read_text() == text, f"{form}/{name} is old: run `make manifests`"

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"settings": {"upstream": {"api_key": "sk-of-nobody"}}}, "settings.upstream.api_key has to be a variable"),
            ({"settings": {"keys": [{"key": "sk-of-nobody"}]}}, "settings.keys[0].key has to be a variable"),
            (
                {"settings": {"policies": {"clinic": {"list_key": "ab" * 16}}}},
                "settings.policies.clinic.list_key has to be a variable",
            ),
            ({"settings": {"canary": {"value": "${CANARY}"}}}, "name ${CANARY}, which no entry of secretEnv gives"),
            ({"settings": {"canary": {"value": "sk-of-nobody"}}}, "settings.canary.value has to be a variable"),
            ({"files": {"a.yaml": f"preset: sealed\nlist_key: {'ab' * 16}\n"}}, "files has a list_key in a.yaml"),
            ({"files": {"a.yaml": f'{{"list_key": "{"ab" * 16}"}}'}}, "files has a list_key in a.yaml"),
            ({"settings": {"host": None}}, "'host'"),
            ({"autoscaling": {"minReplicas": 11}}, "minReplicas (11) is more than autoscaling.maxReplicas (10)"),
            ({"disruption": {"minAvailable": 1, "maxUnavailable": 1}}, "'/disruption'"),
            ({"networkPolicy": {"clients": {"team": "apps"}}}, "'/networkPolicy/clients'"),
            ({"strategy": {"type": "Recreate", "rollingUpdate": {"maxSurge": 0}}}, "'/strategy'"),
            ({"networkPolicy": {"clients": [{}]}}, "'/networkPolicy/clients/0'"),
            ({"networkPolicy": {"upstream": {"namespace": "llm"}}}, "'upstream' not allowed"),
            (
                {"networkPolicy": {"upstreams": [{"namespace": "llm", "podSelector": {"app": "vllm"}, "port": 1}]}},
                "'/networkPolicy/upstreams/0/podSelector'",
            ),
            ({"secretEnv": {"TEAM_KEY": {"name": "reticent", "key": "team"}}}, "'/secretEnv'"),
            ({"settings": {"metrics_port": 0}}, "'/settings/metrics_port'"),
            ({"settings": {"host": "127.0.0.1"}}, "'/settings/host'"),
            ({"autoscaling": {"by": "memory"}}, "'/autoscaling/by'"),
            ({"imagee": {"tag": "1"}}, "'imagee' not allowed"),
        ],
    )
    def test_values_that_cannot_work_are_refused(self, change: dict[str, Any], said: str, tmp_path: Path) -> None:
        (tmp_path / "values.yaml").write_text(yaml.safe_dump(change))
        text = helm("template", "r", str(HELM / "reticent"), "-f", str(tmp_path / "values.yaml"), fails=True)
        assert said in text and "sk-of-nobody" not in text and "ab" * 16 not in text

    def test_a_dollar_sign_is_no_variable(self, rendered: Rendered) -> None:
        body = {"prompt": "$${NOBODY}"}
        data = rendered({**SECRETS, "settings": {"canary": {"value": "${CANARY}", "body": body}}})
        assert yaml.safe_load(data["ConfigMap reticent"]["data"]["reticent.yaml"])["canary"]["body"] == body

    def test_a_change_of_settings_or_files_restarts_the_pods(self, rendered: Rendered) -> None:
        before = pod_of(rendered(SECRETS))
        for change in (
            {"files": {"strict.yaml": "preset: sealed\n"}},
            {"settings": {**SECRETS["settings"], "strip": True}},
        ):
            after = pod_of(rendered({**SECRETS, **change}))
            assert before["metadata"]["annotations"] != after["metadata"]["annotations"]
            assert before["spec"] == after["spec"]

    def test_the_autoscaler_goes_by_what_is_asked_for(self, rendered: Rendered) -> None:
        by = {name: rendered(VALUES[name]) for name in ("gateway", "sidecar", "streams", "keda and an operator")}
        scaler = "HorizontalPodAutoscaler reticent"
        kinds = {name: [each["type"] for each in by[name][scaler]["spec"]["metrics"]] for name in list(by)[:3]}
        assert kinds == {"gateway": ["Resource"], "sidecar": ["ContainerResource"], "streams": ["Pods", "Resource"]}
        pods = by["streams"][scaler]["spec"]["metrics"][0]["pods"]
        assert pods["target"] == {"type": "AverageValue", "averageValue": "20"}
        assert scaler not in by["keda and an operator"]  # KEDA makes one
        trigger = by["keda and an operator"]["ScaledObject reticent"]["spec"]["triggers"][0]["metadata"]
        asked = {pods["metric"]["name"], re.findall(r"\((\w+)\{", trigger["query"])[0]}
        asked.add(re.findall(r"^\w+", adapter_rule()["seriesQuery"])[0])
        assert asked == {"reticent_inflight_streams"} <= metrics()
        fixed = rendered(VALUES["fixed, open to all"])
        assert fixed["Deployment reticent"]["spec"]["replicas"] == 3 and scaler not in fixed

    def test_it_works_in_any_namespace_and_beside_another(self, rendered: Rendered) -> None:
        documents = rendered({}, "clinic")
        peer = documents["NetworkPolicy reticent-upstream"]["spec"]["ingress"][0]["from"][0]
        assert peer["namespaceSelector"]["matchLabels"] == {"kubernetes.io/metadata.name": "clinic"}
        text = helm("template", "second", str(HELM / "reticent"))
        other = {each["kind"]: each for each in yaml.safe_load_all(text) if each}
        ours = documents["Service reticent"]["spec"]["selector"]
        assert other["Service"]["metadata"]["name"] == "second-reticent"
        assert not ours.items() <= other["Deployment"]["spec"]["template"]["metadata"]["labels"].items()

    @pytest.mark.parametrize("form", ["gateway", "sidecar"])
    def test_an_overlay_has_settings_of_its_own(self, form: str, tmp_path: Path) -> None:
        base = DEPLOY / "kubernetes" / form
        (tmp_path / "reticent.yaml").write_text((base / "reticent.yaml").read_text() + "strip: true\n")
        (overlay,) = re.findall(r"```yaml\n(# overlay.*?)```", (DEPLOY / "README.md").read_text(), re.S)
        place = os.path.relpath(base, tmp_path.resolve())
        (tmp_path / "kustomization.yaml").write_text(overlay.replace("../deploy/kubernetes/gateway", place))
        plain, own = ({each["kind"]: each for each in kustomize(folder)} for folder in (base, tmp_path))
        valid(tmp_path, list(own.values()))
        names = [each["ConfigMap"]["metadata"]["name"] for each in (plain, own)]
        assert all(re.fullmatch("reticent-[a-z0-9]{10}", name) for name in names) and len(set(names)) == 2
        for name, documents in zip(names, (plain, own), strict=True):
            volumes = documents["Deployment"]["spec"]["template"]["spec"]["volumes"]
            assert {"name": name} in [each.get("configMap") for each in volumes]
        images = [each["image"] for each in own["Deployment"]["spec"]["template"]["spec"]["containers"]]
        assert f"registry.example/reticent:{__version__}" in images
        assert {each["metadata"]["namespace"] for each in own.values()} == {"clinic"}
        assert "strip: true" in own["ConfigMap"]["data"]["reticent.yaml"]

    def test_the_readmes_steps_without_helm_admit_the_gateway(self, tmp_path: Path) -> None:
        readme = (DEPLOY / "README.md").read_text()
        steps = [block for block in re.findall(r"```sh\n(.*?)```", readme, re.S) if "kubectl" in block]
        shutil.copytree(DEPLOY, tmp_path / "deploy")
        (tmp_path / "overlay").mkdir()
        (overlay,) = re.findall(r"```yaml\n(# overlay.*?)```", readme, re.S)
        (tmp_path / "overlay/kustomization.yaml").write_text(overlay)
        (tmp_path / "kubectl").write_text(KUBECTL.format(kubectl=CHART.folder / "kubectl/kubectl"))
        (tmp_path / "kubectl").chmod(0o755)
        environ = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
        for block in (steps[0], steps[-1]):
            subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=tmp_path, env=environ, check=True, timeout=60)
        applied = [each for each in yaml.safe_load_all((tmp_path / "applied").read_text()) if each]
        by_name = {f"{each['kind']} {each['metadata']['name']}": each for each in applied}
        deployment, upstream = by_name["Deployment reticent"], by_name["NetworkPolicy reticent-upstream"]
        (peer,) = upstream["spec"]["ingress"][0]["from"]
        namespace = deployment["metadata"]["namespace"]
        assert peer["namespaceSelector"]["matchLabels"] == {"kubernetes.io/metadata.name": namespace}
        labels = deployment["spec"]["template"]["metadata"]["labels"]
        assert peer["podSelector"]["matchLabels"].items() <= labels.items()
        assert upstream["metadata"]["namespace"] == "models"
        asked = (tmp_path / "asked").read_text()
        assert f"create namespace {namespace}\n" in asked
        volumes = deployment["spec"]["template"]["spec"]["volumes"]
        secrets = {each["secret"]["secretName"] for each in volumes if "secret" in each} | {
            each["valueFrom"]["secretKeyRef"]["name"] for each in guard_of(by_name)["env"]
        }
        assert set(re.findall(rf"-n {namespace} create secret generic (\S+)", asked)) == secrets
        (client,) = by_name["NetworkPolicy reticent"]["spec"]["ingress"][0]["from"]
        ((name, value),) = client["namespaceSelector"]["matchLabels"].items()
        assert f"label namespace apps {name}={value}\n" in asked


KUBECTL = """#!/usr/bin/env bash
# Asks no cluster: keeps what would be applied, and notes the rest.
case "$1 $2" in
    "apply -k") echo --- >> applied; {kubectl} kustomize "$3" >> applied ;;
    "apply -f") echo --- >> applied; cat "${{3/#-//dev/stdin}}" >> applied ;;
    *) echo "$*" >> asked ;;
esac
"""


def adapter_rule() -> dict[str, Any]:
    (rule,) = yaml.safe_load((DEPLOY / "prometheus/adapter.yaml").read_text())["rules"]["custom"]
    return dict(rule)


def metrics() -> set[str]:
    Metrics(registry := CollectorRegistry())
    return {family.name for family in registry.collect()}


def test_the_metric_that_is_scaled_by_is_one_of_ours() -> None:
    template = (HELM / "reticent/templates/autoscaler.yaml").read_text()
    named = set(re.findall(r"reticent_\w+", template + (DEPLOY / "prometheus/adapter.yaml").read_text()))
    assert named == {"reticent_inflight_streams"} <= metrics()


def test_a_secret_holds_as_many_values_as_is_said() -> None:
    results = (DEPLOY.parent / "benchmarks/results/records.md").read_text()
    (size,) = re.findall(r"\((\d+) bytes a value\)", results)
    said = f"about {2**20 // int(size) // 1000},000 values"
    assert said in (DEPLOY / "README.md").read_text() and said in (HELM / "reticent/values.yaml").read_text()


def test_the_sizing_says_which_row_it_goes_by_and_what_others_say() -> None:
    readme = " ".join((DEPLOY / "README.md").read_text().split())
    results = DEPLOY.parent / "benchmarks/results"
    rows = {row["streams"]: row for row in json.loads((results / "guarded-tokens.json").read_text())["rows"][:3]}
    assert {row["case"] for row in rows.values()} == {"prose"}
    taken, *others = (rows[streams]["us a token"] for streams in (32, 1, 8))
    assert (
        f"one row, {taken:.0f} µs. Other rows of the same measurement say {others[0]:.0f} and {others[1]:.0f}" in readme
    )
    assert f"by the last, {others[1] / 10:.0f} cores at full use and not {taken / 10:.0f}" in readme  # 100,000 a second
    beside = json.loads((results / "replicas.json").read_text())["beside"][1]
    said = f"within {beside['p99 ms, simulated']:.1f} ms, where {beside['p99 ms, measured']:.0f} ms were measured"
    assert beside["streams"] == 64 and said in readme
    values = yaml.safe_load((HELM / "reticent/values.yaml").read_text())
    assert f"`maxReplicas` is {values['autoscaling']['maxReplicas']}" in readme


def test_the_sidecars_pod_waits_for_no_second_gpu() -> None:
    strategy = yaml.safe_load((HELM / "sidecar.yaml").read_text())["strategy"]["rollingUpdate"]
    assert strategy == {"maxSurge": 0, "maxUnavailable": 1}


def test_the_chart_has_the_version_of_the_package() -> None:
    chart = yaml.safe_load((HELM / "reticent/Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (__version__, __version__)


def test_values_that_the_charts_schema_names_are_those_there_are() -> None:
    values = yaml.safe_load((HELM / "reticent/values.yaml").read_text())
    schema = yaml.safe_load((HELM / "reticent/values.schema.json").read_text())
    assert set(schema["properties"]) - {"global"} == set(values)
    for name, part in schema["properties"].items():
        if part.get("additionalProperties") is False and name != "resources":
            assert set(part["properties"]) == set(values[name]), name


def test_every_value_is_read_by_a_template() -> None:
    text = "".join(path.read_text() for path in (HELM / "reticent/templates").iterdir())
    values = yaml.safe_load((HELM / "reticent/values.yaml").read_text())
    assert [name for name in values if f".Values.{name}" not in text] == []


def test_the_bases_name_what_is_there_and_say_where_they_come_from() -> None:
    for form in ("gateway", "sidecar"):
        folder = DEPLOY / "kubernetes" / form
        base = yaml.safe_load((folder / "kustomization.yaml").read_text())
        files = [*base["resources"], *base["configMapGenerator"][0]["files"]]
        assert all((folder / name).read_text().startswith("# From deploy/helm by `make manifests`") for name in files)
        assert load(folder / "reticent.yaml", ENVIRON).upstream is not None
