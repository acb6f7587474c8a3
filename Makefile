# Every target makes the environment it needs in .venv, and is quick the second time.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

PYTHON ?= python3
WORKERS ?= 2
ARGS ?=
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: help venv servers demo test test-slow chaos check format docs accuracy reader-rules migration bench fuzz coverage lock clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

venv: $(STAMP)  ## make the environment in .venv from constraints.txt

$(STAMP): constraints.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "answerwatch needs Python 3.11 or newer; '$(PYTHON)' is not. Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || { \
	  rm -rf .venv; echo "The venv module is missing; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 2; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip --upgrade >/dev/null
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes --no-deps \
	  --only-binary :all: -r constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(STAMP)  ## run the main job against simulated platforms and print the figures
	$(BIN)/answerwatch demo $(ARGS)

servers:  ## start the servers that tests use, where they are installed and do not run
	bash scripts/start_servers.sh

test: $(STAMP)  ## run every quick test; those of servers that are not running are skipped
	$(BIN)/python -m pytest -n $(WORKERS) -m "not slow" $(ARGS)

test-slow: $(STAMP)  ## run the tests that take long
	$(BIN)/python -m pytest -m slow $(ARGS)

chaos: $(STAMP)  ## break workers, databases and brokers at random, at least 200 times, and print what came of it
	$(BIN)/python -m tests.chaos.long --minute $(ARGS)

check: $(STAMP)  ## formatting, lint, types and the rules of the house
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/house

format: $(STAMP)  ## format the code and mend what the linter can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP)  ## write the pages of docs/ that are made from the code
	$(BIN)/python -m scripts.make_docs

accuracy: $(STAMP)  ## measure the reader on the reference data and write the tables of docs/accuracy.md
	$(BIN)/python -m scripts.accuracy_page $(ARGS)

migration: $(STAMP)  ## write the migration to the schema as the code has it now, e.g. NAME=add_cost
	$(BIN)/python -m scripts.make_migration "$(NAME)"

reader-rules: $(STAMP)  ## note the rules of reading for their version, after a change in reading/
	$(BIN)/python -m scripts.reader_rules

SECONDS ?= 600
fuzz: $(STAMP)  ## read damaged answers for SECONDS; exits with 1 when one is read wrongly
	$(BIN)/python -m scripts.fuzz_reader --seconds $(SECONDS)

bench: $(STAMP)  ## run the benchmarks and print their figures
	$(BIN)/python -m benchmarks $(ARGS)

coverage: $(STAMP)  ## run the quick tests with coverage: 100 % of domain/, 95 % of everything
	$(BIN)/python -m pytest -n $(WORKERS) -m "not slow" --cov --cov-report= $(ARGS)
	$(BIN)/coverage report --fail-under=95
	$(BIN)/coverage report --include='src/answerwatch/domain/*' --fail-under=100

lock: $(STAMP)  ## write constraints.txt anew from pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9'
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --generate-hashes --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links --all-extras --group dev pyproject.toml --output-file constraints.txt

clean:  ## remove the environment and every cache
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* build dist
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
