# Everything a user or a contributor does. Needs Python 3.11 or newer, make and git.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Tests wait for processes and deadlines about as long as they compute.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: help demo test soak golden mutants check bench proto screenshots format clean kits kit-go kit-node kit-rust kit-cpp kit-java

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

kits: kit-go kit-node kit-rust kit-cpp kit-java ## Build and test the kits and bots in other languages

# $(call kit,tools,commands): without its tools a kit is left out; where CI is set, that is an error.
define kit
@missing=; for tool in $(1); do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
if [ -n "$$missing" ]; then echo "$@ is left out, for these programs are missing:$$missing"; test -z "$$CI"; \
else set -ex; $(2); fi
endef

kit-go: export CGO_ENABLED := 0
kit-go: export GOFLAGS := -buildvcs=false
kit-go:
	$(call kit,go,cd sdk/go; go vet .; go test .; cd ../../bots/random_go; go test .; go build -ldflags="-s -w" -o bot .)

kit-node:
	$(call kit,node npm,cd sdk/node; npm install --silent; npm test --silent; \
		cd ../../bots/random_node; npm install --silent; npm run --silent build; npm test --silent)

kit-rust: export CARGO_TARGET_DIR := $(CURDIR)/sdk/rust/target
kit-rust:
	$(call kit,cargo protoc,cd sdk/rust; cargo test --release --quiet; \
		cd ../../bots/random_rust; cargo test --release --quiet; cargo build --release --quiet; \
		cp $(CARGO_TARGET_DIR)/release/bot bot)

kit-cpp:
	$(call kit,cmake g++ pkg-config protoc grpc_cpp_plugin,cd bots/random_cpp; \
		cmake -S . -B build -DCARDPIT_BUILD_TESTING=ON; \
		cmake --build build -j2; ctest --test-dir build --output-on-failure)

kit-java:
	$(call kit,javac mvn,cd bots/random_java; mvn --quiet --batch-mode --no-transfer-progress package)

test: $(VENV)/.dev ## Run the whole test suite
	$(BIN)/pytest --numprocesses $(WORKERS) --dist loadfile --durations 20

soak: $(VENV)/.dev ## Play ten thousand matches of Spit, random and greedy, to their ends
	CARDPIT_SPIT_MATCHES=10000 $(BIN)/pytest tests/games/test_spit_matches.py -k many_matches --numprocesses auto

golden: $(VENV)/.dev ## Write the golden records of tests/records again
	PYTHONPATH=tests $(BIN)/python -m records.golden

mutants: $(VENV)/.dev ## Plant faults in copies of the tree, and see each found by its test
	PYTHONPATH=tests $(BIN)/python -m mutants

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

screenshots: $(VENV)/.dev ## Take the pictures of the pages anew
	$(BIN)/python tests/web/screenshots.py

format: $(VENV)/.dev ## Format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean: ## Remove what was built and cached
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
