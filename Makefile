# Two commands are enough: `make demo` and `make test`. Everything lands in .venv and var.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Compiled at once: where Python may not write caches, every start would compile all of it anew.
PIP    := $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python
ARGS   ?=
# Two more than there are cores: those that begin wait for servers and browsers for much of their
# time, and with one more a quarter of two cores lay idle meanwhile.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)
# In memory where four gigabytes of it are free: the tests make thousands of little databases, and a
# disk takes longer to say that each is safe than they take to do the rest.
SCRATCH ?= $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4194304 { print "/dev/shm" }')

.DEFAULT_GOAL := help
.PHONY: help demo up test lint bench format lock train clean

help:  ## Show this list.
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.run  ## Start everything with the sample organization, and play its inbox.
	@$(BIN)/postern demo $(ARGS)

up: $(VENV)/.run  ## Start the service.
	@$(BIN)/postern up $(ARGS)

# Compiled at once, for the processes that tests start; pytest compiles what it collects itself,
# and may keep that.
test: $(VENV)/.dev  ## Run the tests.
	@$(BIN)/python -m compileall -q -x '/test_[^/]*$$' data tasks connectors flows ui training tests benchmarks
	@env -u PYTHONDONTWRITEBYTECODE $(if $(SCRATCH),TMPDIR=$(SCRATCH)) $(BIN)/pytest -n $(WORKERS) --dist loadgroup $(ARGS)

lint: $(VENV)/.dev  ## Check style, types, the direction of imports, and the rules of the house.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python -m tests.house

bench: $(VENV)/.dev  ## Measure; figures are printed, and depend on the machine.
	@$(BIN)/python -m benchmarks $(ARGS)

format: $(VENV)/.dev  ## Format the code.
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format --quiet .

train: $(VENV)/.train  ## Train the small models again from the committed corpora.
	@$(BIN)/python -m training.understanding
	@$(BIN)/python -m training.screening

lock: $(VENV)/.uv  ## Resolve the dependencies again.
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	    --no-header --group build pyproject.toml -o requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	    --no-header --group build --group dev -c requirements.lock \
	    pyproject.toml -o requirements-dev.lock

clean:  ## Remove what was installed; run-time files under var stay.
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	    "Postern needs Python 3.11 or newer; say which with: make PYTHON=python3.12 ...")'
	@echo "Setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@touch $@

$(VENV)/.run: requirements.lock pyproject.toml | $(VENV)/.uv
	@echo "Installing from requirements.lock ..."
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q data tasks connectors flows ui
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	@echo "Installing from requirements-dev.lock ..."
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

$(VENV)/.train: pyproject.toml | $(VENV)/.dev
	@echo "Installing what only training needs ..."
	@$(PIP) --group train
	@touch $@
