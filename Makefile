# Everything a user or a contributor does. Needs Python 3.11 or newer, make and git.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: help demo test check bench proto format clean

help: ## Show what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.platform: $(BIN)/python pyproject.toml sdk/python/pyproject.toml
	$(INSTALL) --editable sdk/python --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.platform
	$(INSTALL) --editable sdk/python --editable ".[dev]"
	@touch $@

demo: $(VENV)/.platform ## Play a small tournament of every game between the built-in bots
	$(BIN)/tournament demo

test: $(VENV)/.dev ## Run the whole test suite
	$(BIN)/pytest

check: $(VENV)/.dev ## Check generated code, protos, style, types and imports
	$(BIN)/python proto/generate.py --check
	cd proto && ../$(BIN)/buf lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev ## Measure speed against its bars, side by side
	$(BIN)/python tests/bench

proto: $(VENV)/.dev ## Write the Python code of the protos
	$(BIN)/python proto/generate.py

format: $(VENV)/.dev ## Format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean: ## Remove what was built and cached
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
