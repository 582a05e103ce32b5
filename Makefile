# The project's commands. `make help` lists them.
SHELL := /bin/bash
PYTHON_BIN := .venv/bin/python
export DAGSTER_HOME ?= $(CURDIR)/dagster_home
PORT ?= 3000
# Processes that run the tests.
WORKERS ?= 2
# Passed on to `rlaios campaign` and to a benchmark, such as ARGS="--name beta --epochs 3".
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup instance lint test test-fast test-slow test-soak campaign ui clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make .venv and install the pinned dependencies (idempotent)
	@scripts/setup

instance: setup
	@scripts/instance

lint: setup ## style, types and import rules
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports

test: lint ## lint, then every test but the soak tests
	.venv/bin/pytest -n $(WORKERS) -m "not soak"

test-fast: setup ## the tests that take seconds
	.venv/bin/pytest -n $(WORKERS) -m "not slow and not soak"

test-slow: setup ## the tests that start real processes
	.venv/bin/pytest -n $(WORKERS) -m slow

test-soak: setup ## the tests that take many minutes
	.venv/bin/pytest -m soak

campaign: instance ## train: benchmark, untrained, epochs as Dagster runs, trained, table and report
	@.venv/bin/rlaios campaign $(ARGS)

ui: instance ## Dagster's UI and daemon on this checkout's instance, loopback only
	.venv/bin/dagster dev -w workspace.yaml -h 127.0.0.1 -p $(PORT)

bench-%: setup ## one benchmark, such as bench-verification; its last line is one JSON object
	@$(PYTHON_BIN) -m benchmarks.$(subst -,_,$*) $(ARGS)

clean: ## remove the environment, caches, campaigns and Dagster's records (keeps sources)
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache *.egg-info var
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find dagster_home -mindepth 1 ! -name dagster.yaml -delete
