"""Writes `deploy/kubernetes`, a Kustomize base of each form, from the chart: `make manifests`.

    python deploy/helm/manifests.py HELM [FOLDER]

The chart's ConfigMap becomes a file, `reticent.yaml`, from which Kustomize makes a ConfigMap with a digest in its name,
so that a change of it restarts the pods. The policy in the model server's namespace is a file of its own, which no
`namespace:` of an overlay moves.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import yaml

HELM = Path(__file__).resolve().parent
FORMS: dict[str, list[str]] = {"gateway": [], "sidecar": ["-f", str(HELM / "sidecar.yaml")]}
"""The forms, by folder, with helm's arguments for each."""
UPSTREAM = "templates/upstream.yaml"
SOURCE = "# Source: reticent/"
HEAD = "# From deploy/helm by `make manifests`: change it there.\n"


def rendered(helm: str, *arguments: str) -> dict[str, str]:
    """Gives what each template of the chart becomes, by the template's path."""
    line = [helm, "template", "reticent", str(HELM / "reticent"), *arguments]
    text = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    parts = [part.partition("\n") for part in text.split(f"---\n{SOURCE}")[1:]]
    return {path: body for path, _, body in parts}


def files(helm: str, arguments: list[str]) -> dict[str, str]:
    """Gives a form's files by name."""
    settings = yaml.safe_load(rendered(helm, *arguments)["templates/configmap.yaml"])["data"]["reticent.yaml"]
    templates = rendered(helm, *arguments, "--set", "existingConfigMap=reticent")
    upstream = templates.pop(UPSTREAM, None)
    out = {"reticent.yaml": HEAD + settings, "manifests.yaml": HEAD + "---\n" + "---\n".join(templates.values())}
    return out if upstream is None else out | {"upstream.yaml": HEAD + upstream}


def main() -> None:
    """Writes the files of every form."""
    folder = Path(sys.argv[2]) if sys.argv[2:] else HELM.parent / "kubernetes"
    for form, arguments in FORMS.items():
        (folder / form).mkdir(parents=True, exist_ok=True)
        for name, text in files(sys.argv[1], arguments).items():
            (folder / form / name).write_text(text)


if __name__ == "__main__":
    main()
