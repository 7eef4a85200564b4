# Start with `make run` and `make test`. The other targets are for daily work.
PY := .venv/bin/python
# requirements-dev.txt installs Node.js, and package-lock.json pins the tools for scripts.
NPM := PATH="$(CURDIR)/.venv/bin:$$PATH" npm
.DEFAULT_GOAL := help
.PHONY: help run test lint audit format bench schema options study lock clean

help: ## List the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

run: ## Prepare everything with a demo collection, start the site, and print its URL and how to sign in
	@scripts/environment.sh run
	@echo "Preparing the database and the demo collection ..."
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py ensure_user demo
	@$(PY) manage.py load_demo
	@$(PY) manage.py serve

# Tests start dozens of processes, so bytecode is written even if the environment forbids it.
# Some tests wait for other processes, so there are three test processes for two cores.
test: ## Prepare the environment and browsers, and run the tests (.ci/run has some more)
	@scripts/environment.sh test
	PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -n $$(($$(nproc) + ($$(nproc) + 1) / 2)) --dist worksteal $(ARGS)

lint: ## Check style, import rules, types (Python and scripts) and missing migrations
	@scripts/environment.sh test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports --no-cache
	DEBUG=1 .venv/bin/mypy
	$(NPM) run --silent lint
	DEBUG=1 QC4_DATA_DIR=$$(mktemp -d) $(PY) manage.py makemigrations --check --dry-run
	-@$(MAKE) --no-print-directory audit

audit: ## Ask PyPI and npm about known vulnerabilities of pinned versions (lint only prints the result)
	@PATH="$(CURDIR)/.venv/bin:$$PATH" $(PY) scripts/audit.py

format: ## Format Python and scripts, and fix what linters can fix
	@scripts/environment.sh test
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	$(NPM) run --silent format

bench: ## Measure speed and memory as ratios to a peer or limit in the same run
	@scripts/environment.sh test
	$(PY) -m bench $(ARGS)

schema: ## Regenerate the committed API schema
	DEBUG=1 $(PY) manage.py spectacular --validate --fail-on-warn --file docs/api/openapi.yaml

options: ## Regenerate .env.example and the documentation of settings
	$(PY) -m qc4site.configuration.option_documents

study: ## Recompute the stored scores of the behaviour study
	$(PY) -m studies.behaviour.store

lock: ## Regenerate requirements.txt and requirements-dev.txt (needs uv)
	uv pip compile --quiet --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" requirements.in -o requirements.txt
	uv pip compile --quiet --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" requirements-dev.in -o requirements-dev.txt

clean: ## Remove the environment and caches (the data in var/ stays)
	rm -rf .venv node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
