# Two commands for people: `make play` and `make test`. Each sets up everything it needs, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CXX_FILES := $(shell find cpp bindings wasm -name '*.cpp' -o -name '*.h')
# An editable install knows the modules that were there when it was made: a new one needs another.
PYTHON_FILES := $(sort $(shell find src -name '*.py'))
$(shell mkdir -p build && echo $(PYTHON_FILES) | cmp -s - build/modules || echo $(PYTHON_FILES) > build/modules)
BUILD_INPUTS := pyproject.toml CMakeLists.txt cmake/python.cmake build/modules $(CXX_FILES)
# The build tools live in the virtual environment so that a second build only compiles what changed.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
EDITABLE := $(PIP_INSTALL) --no-build-isolation --editable

.PHONY: play test test-slow test-browser test-cluster lint format bench sanitize tsan test-core wheel test-wheel site test-site docs clean \
	soak soak-short soak-report coverage
.DEFAULT_GOAL := help

help:
	@echo "make play       play against Tengen"
	@echo "make test       run the tests"
	@echo "make test-cluster  install ray and run the tests on several nodes of one machine"
	@echo "make test-browser  run the web board's tests in Chromium"
	@echo "make site       build the web board as files alone in build/board (needs emscripten)"
	@echo "make test-site  build it and run its tests in Chromium"
	@echo "make lint       check style and types"
	@echo "make format     apply the style"
	@echo "make bench      measure speed"
	@echo "make docs       build the site of documents in build/site"
	@echo "make sanitize   run the core's tests under AddressSanitizer, LeakSanitizer and UBSan, with its asserts"
	@echo "make tsan       run the threads of search and self-play under the thread sanitizer"
	@echo "make soak       try to break everything, for ten minutes each (docs/reliability.md)"
	@echo "make coverage   measure which lines of the package and of the core the tests reach"
	@echo "make test-core  build the C++ library alone and run its tests"
	@echo "make wheel      build a wheel for every machine of this kind"
	@echo "make test-wheel install that wheel elsewhere and compare it with this build"
	@echo "make clean      remove everything that was built"

play: $(VENV)/.base
	@$(BIN)/tengen play

test: $(VENV)/.dev
	@$(BIN)/python -m pytest -q -n auto

test-slow: $(VENV)/.dev
	@$(BIN)/python -m pytest -q -n auto -m "slow or not slow"

# 200 MB that few need: the other targets skip what they would test with it.
test-cluster: $(VENV)/.dev
	@$(EDITABLE) ".[cluster]"
	@$(BIN)/python -m pytest -q tests/cluster

# The browser is a system package; every other tool comes with the virtual environment.
test-browser: $(VENV)/.dev
	@command -v chromium > /dev/null && command -v chromedriver > /dev/null || \
		{ echo "A browser is missing: install the packages chromium and chromium-driver"; exit 2; }
	@$(BIN)/python -m pytest -q -m browser tests/web

lint: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "run: make format"; exit 1; }
	@$(BIN)/clang-format --dry-run -Werror $(CXX_FILES) $(wildcard programs/*.cpp tests/*.cpp tests/*/*.cpp)
	@$(BIN)/biome check --error-on-warnings
	@$(BIN)/mypy
	@$(BIN)/mypy --platform win32 src  # what other systems lack is an error too
	@$(BIN)/mypy --platform darwin src

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format --quiet .
	@$(BIN)/clang-format -i $(CXX_FILES) $(wildcard programs/*.cpp tests/*.cpp tests/*/*.cpp)
	@$(BIN)/biome check --write

bench: $(VENV)/.base
	@$(BIN)/tengen bench rules

docs: $(VENV)/.base
	@$(PIP_INSTALL) "linkchecker>=10.6" "mkdocs-material>=9.6" "mkdocstrings[python]>=0.27"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@$(BIN)/linkchecker --no-status --no-warnings build/site/index.html > build/links.txt 2>&1 || { cat build/links.txt; exit 1; }
	@echo "open build/site/index.html"

# Programs first: there leaks are ours. Then tests from Python, where the sanitizer's runtime must be loaded before the
# interpreter, whose leaks are not ours to report. Both check the asserts of the core.
SANITIZED ?= tests/game tests/threats/test_tactics.py tests/threats/test_vcf.py tests/search/test_batched.py \
	tests/train/test_selfplay.py
MODULE_WITH_TESTS := -DTENGEN_PYTHON=ON -DTENGEN_TESTS=ON -DTENGEN_INSTALL=OFF -DPython_EXECUTABLE=$(abspath $(BIN)/python)
sanitize: $(VENV)/.dev
	@cmake -S . -B build/sanitize -DTENGEN_SANITIZE=address,undefined $(MODULE_WITH_TESTS) \
		-Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) > /dev/null
	@cmake --build build/sanitize --parallel 2 > /dev/null
	@ctest --test-dir build/sanitize --parallel 2 --output-on-failure
	@LD_PRELOAD=$$($(CXX) -print-file-name=libasan.so):$$($(CXX) -print-file-name=libubsan.so) \
		ASAN_OPTIONS=detect_leaks=0 TENGEN_CORE=build/sanitize \
		$(BIN)/python -m pytest -q -n 2 -p no:cacheprovider $(SANITIZED)

# Requests made from the OpenAPI document.
SOAK_NEEDS := $(PIP_INSTALL) "schemathesis>=4.15"
# Parts that add up in a folder: `make soak PARTS="protocol sgf" MINUTES=60`. The page is written from all of them.
SOAK := PYTHONPATH=benchmarks $(BIN)/python -m soak
MINUTES ?= 10
soak: $(VENV)/.dev
	@$(SOAK_NEEDS)
	@$(SOAK) run $(PARTS) --minutes $(MINUTES)

soak-short: $(VENV)/.dev
	@$(SOAK_NEEDS)
	@$(SOAK) run --minutes 0.1 --untimed --results build/soak

soak-report: $(VENV)/.dev
	@$(SOAK) report

# Of the package and of the core, which counts in all processes; the package only in those of the tests.
COVERAGE_CORE := $(abspath build/coverage)
coverage: $(VENV)/.dev
	@$(PIP_INSTALL) "gcovr>=8" "pytest-cov>=6"
	@cmake -S . -B build/coverage -DTENGEN_COVERAGE=ON $(MODULE_WITH_TESTS) \
		-Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) > /dev/null
	@cmake --build build/coverage --parallel 2 > /dev/null
	@find build/coverage -name '*.gcda' -delete
	@ctest --test-dir build/coverage --parallel 2 --output-on-failure
	@GCOV_ERROR_FILE=/dev/null TENGEN_CORE=$(COVERAGE_CORE) $(BIN)/python -m pytest -q -n auto --cov=tengen --cov-report=term:skip-covered $(TESTS)
	@$(BIN)/gcovr --root . --filter cpp/ --object-directory build/coverage --sort uncovered-percent \
		--gcov-ignore-parse-errors=suspicious_hits.warn_once_per_file \
		--gcov-ignore-parse-errors=negative_hits.warn_once_per_file  # what threads lost

tsan: $(VENV)/.tools
	@cmake -S . -B build/tsan -DTENGEN_SANITIZE=thread > /dev/null
	@cmake --build build/tsan --parallel 2 --target parallel_stress pool_stress > /dev/null
	@for program in parallel_stress pool_stress; do \
		setarch -R build/tsan/tests/$$program || exit 1; done  # the sanitizer's memory map does not survive address randomisation

# Portable, since every other build here is for this machine.
test-core:
	@cmake --preset portable > /dev/null
	@cmake --build --preset portable --parallel 2 > /dev/null
	@ctest --preset portable

# The wheel for every machine of this kind, and what users do with it: install it where there is no compiler.
INSTRUCTION_SETS ?= avx512;avx2;baseline
wheel: $(VENV)/.tools
	@rm -rf dist && $(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir dist . \
		--config-settings=build-dir=build/wheel --config-settings=install.strip=true \
		--config-settings=cmake.define.TENGEN_PORTABLE=ON \
		"--config-settings=cmake.define.TENGEN_INSTRUCTION_SETS=$(INSTRUCTION_SETS)"
	@ls -l dist

test-wheel: wheel $(VENV)/.base
	@$(BIN)/python -m venv --clear build/wheel-venv
	@build/wheel-venv/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	@$(BIN)/python tests/compare_builds.py build/wheel-venv/bin/python

# The web board without a server. Debian's emscripten looks for its parser where Node would not.
WASM := NODE_PATH=$(NODE_PATH):/usr/share/nodejs
site: $(VENV)/.base
	@command -v emcc > /dev/null || { echo "emscripten is missing: install the packages emscripten and node-acorn"; exit 2; }
	@$(WASM) emcmake cmake --preset wasm > /dev/null
	@$(WASM) cmake --build --preset wasm --parallel 2 --target tengen-web signatures > /dev/null
	@$(BIN)/python -m tengen.web.site build/board build/wasm

test-site: site $(VENV)/.dev
	@$(BIN)/python -m pytest -q -m site tests/web

clean:
	rm -rf build dist $(VENV)

# -- set-up; each stamp is a fact about the virtual environment

$(VENV)/.tools:
	@command -v $(PYTHON) > /dev/null || { echo "Python is missing: install the package python3 (3.10 or newer)"; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Python 3.10 or newer is needed: install a newer python3, or run make PYTHON=python3.12"; exit 2; }
	@command -v $(CXX) > /dev/null || { echo "A C++ compiler is missing: install the package g++ (12 or newer)"; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { echo "Python's venv module is missing: install the package python3-venv"; exit 2; }
	@echo "setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@echo "downloading build tools (cmake, ninja, nanobind, scikit-build-core) and what Tengen runs on, once ..."
	@$(PIP_INSTALL) "scikit-build-core>=0.10" "nanobind>=2.4" cmake ninja
	@touch $@

$(VENV)/.base: $(VENV)/.tools $(BUILD_INPUTS)
	@echo "building ..."
	@$(EDITABLE) .
	@touch $@

# A plain torch brings gigabytes for graphics cards. Where there is none, one without them comes from its makers' own index;
# where that is out of reach, the plain one does.
TORCH = $(shell sed -n 's/.*"\(torch==[0-9.]*\)".*/\1/p' pyproject.toml)
TORCH_CPU := --index-url https://download.pytorch.org/whl/cpu --retries 0 --timeout 10
$(VENV)/.dev: $(VENV)/.base
	@echo "downloading what tests and training need, once; torch is most of it: about 200 MB, gigabytes with a graphics card ..."
	@command -v nvidia-smi > /dev/null || $(PIP_INSTALL) $(TORCH_CPU) $(TORCH) 2> /dev/null || true
	@$(EDITABLE) ".[dev,train,plot,onnx,export]"
	@touch $@
