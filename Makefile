# `make run` and `make test` are all a reader needs; the rest is for daily work.
PY := .venv/bin/python
# Node.js comes with requirements-dev.txt, the tools for scripts by package-lock.json.
NPM := PATH="$(CURDIR)/.venv/bin:$$PATH" npm
.DEFAULT_GOAL := help
.PHONY: help run test lint audit format bench schema options study lock clean

help: ## List the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

run: ## Environment, database, demo collection, web and worker; prints the address and how to sign in
	@scripts/environment.sh run
	@echo "Preparing the database and the demo collection ..."
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py ensure_user demo
	@$(PY) manage.py load_demo
	@$(PY) manage.py serve

# Tests start dozens of processes: bytecode is kept, also where the environment says not to.
# Some tests wait for other processes: three for two cores.
test: ## Environment, Chromium and Firefox if they can be installed, the tests but for what is left to .ci/run
	@scripts/environment.sh test
	PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -n $$(($$(nproc) + ($$(nproc) + 1) / 2)) --dist worksteal $(ARGS)

lint: ## Style, import contract, types (Python and scripts), missing migrations
	@scripts/environment.sh test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports --no-cache
	DEBUG=1 .venv/bin/mypy
	$(NPM) run --silent lint
	DEBUG=1 QC4_DATA_DIR=$$(mktemp -d) $(PY) manage.py makemigrations --check --dry-run
	-@$(MAKE) --no-print-directory audit

audit: ## Whether a pinned version is known to be vulnerable, by PyPI and npm; lint tells and goes on
	@PATH="$(CURDIR)/.venv/bin:$$PATH" $(PY) scripts/audit.py

format: ## Lay out Python and scripts, and mend what linters can mend
	@scripts/environment.sh test
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	$(NPM) run --silent format

bench: ## Speed and memory, as ratios against a peer or a floor measured in the same run
	@scripts/environment.sh test
	$(PY) -m bench $(ARGS)

schema: ## Write the committed API schema anew
	DEBUG=1 $(PY) manage.py spectacular --validate --fail-on-warn --file docs/api/openapi.yaml

options: ## Write .env.example and the page about settings anew
	$(PY) -m qc4site.configuration.option_documents

study: ## Compute the scores of the behaviour study anew
	$(PY) -m studies.behaviour.store

lock: ## Pin requirements.txt and requirements-dev.txt anew (needs uv)
	uv pip compile --quiet --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" requirements.in -o requirements.txt
	uv pip compile --quiet --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" requirements-dev.in -o requirements-dev.txt

clean: ## Remove the environment and caches (data in var/ stay)
	rm -rf .venv node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
