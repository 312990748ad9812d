# The commands of a working day; `make help` lists them. CMake and its presets do the building.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup setup-test setup-python run configure build test test-all bench bench-shm papers soak fuzz lint format install packages docs clean

JOBS ?= $(shell nproc)
# Release or Debug, in build/release or build/debug.
BUILD_TYPE ?= Release
PREFIX ?= /usr/local
# Of make fuzz, all parsers together.
FUZZ_RUNS ?= 10000000
# SETUP=: uses what is installed and installs nothing.
SETUP ?= scripts/setup

preset := $(shell tr '[:upper:]' '[:lower:]' <<<'$(BUILD_TYPE)')
build_folder := build/$(preset)
# Given once, MPICXX stays in the build folder; MPICXX= forgets it.
cmake_options := $(if $(filter undefined,$(origin MPICXX)),,-DMPICXX='$(MPICXX)')

help: ## What there is to make
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 18
	@echo 'Variables: JOBS=$(JOBS) BUILD_TYPE=Release|Debug MPICXX=/path/to/mpicxx (a further MPI) PREFIX=$(PREFIX)'

run: configure ## Build, then measure, predict, validate and report on this machine
	cmake --build --preset $(preset) --parallel $(JOBS) --target measuring
	scripts/main_job $(build_folder)

setup:
	@$(SETUP) run

setup-test:
	@$(SETUP) run test python docs

setup-python:
	@$(SETUP) run python

configure: setup
	cmake --preset $(preset) -DBUILD_TESTING=OFF $(cmake_options)

build: configure ## The postage command and a measuring program for each MPI found
	cmake --build --preset $(preset) --parallel $(JOBS)

test: setup-test ## Build everything and run every test; unit and property tests under sanitizers
	scripts/run_tests $(preset) $(JOBS) $(cmake_options)

test-all: export POSTAGE_EXHAUSTIVE = 1
test-all: test ## The same over whole ranges, which takes hours, and shared memory under ThreadSanitizer

bench: ## Build and run the benchmarks
	@$(SETUP) run bench
	cmake --preset $(preset) -DPOSTAGE_BUILD_BENCH=ON $(cmake_options)
	cmake --build --preset $(preset) --parallel $(JOBS)
	set -e; for program in $(build_folder)/bench/bench_*; do "$$program"; done
	$(build_folder)/bin/postage validate --suite full -o $(build_folder)/accuracy.json --page $(build_folder)/accuracy

bench-shm: build ## Compare messages inside a node with Open MPI and MPICH; renews docs/shared-memory.md
	@$(SETUP) run bench
	$(build_folder)/bin/postage bench --repetitions 30 --cache-misses -o out/bench-shm.json --images docs/images --into docs/shared-memory.md

papers: build ## Run the five papers' evaluations; renews docs/papers (under 15 minutes on two cores)
	@$(SETUP) run bench
	set -e; for paper in tu rico-gallego chai lastovetsky ali; do $(build_folder)/bin/postage paper $$paper --all -o docs/papers; done

soak: setup-test ## Ten million messages through shared memory, every byte checked; 1,000 kills of ranks, launchers and postage
	cmake --preset $(preset) -DBUILD_TESTING=ON -DPOSTAGE_TESTS=property $(cmake_options)
	cmake --build --preset $(preset) --parallel $(JOBS) --target property_shm
	POSTAGE_SOAK_MESSAGES=1e7 $(build_folder)/tests/property/property_shm --gtest_filter=RandomTraffic.GoesOn*
	cmake --build --preset $(preset) --parallel $(JOBS) --target measuring
	POSTAGE_SOURCE_DIR=$(CURDIR) POSTAGE_BUILD_DIR=$(CURDIR)/$(build_folder) PYTHONPATH=tests/cli POSTAGE_KILLS=1000 \
	  python3 -B tests/cli/failures/killed.py KilledAtRandom

fuzz: setup-test ## Run every parser on FUZZ_RUNS texts that libFuzzer makes (10^7 in all); finds stay in build/fuzz
	@$(SETUP) fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS) --target fuzz_parsers
	scripts/fuzz build/fuzz $(FUZZ_RUNS)

lint: setup-test ## Check words, sizes, includes and formatting, and run clang-tidy over src/
	@$(SETUP) lint
	scripts/lint $(preset) $(JOBS)

install: setup-python build ## Install below PREFIX: command, measuring programs, library, headers, manual pages, Python module
	cmake --install $(build_folder) --prefix '$(PREFIX)'

packages: setup-python build ## Debian packages in build/release/packages
	cd $(build_folder) && cpack -B packages

docs: configure ## The documentation as a site: build/release/docs/site/index.html
	@$(SETUP) docs
	cmake --build --preset $(preset) --parallel $(JOBS) --target postage
	scripts/docs_site $(build_folder)/bin/postage $(build_folder)/docs

clean: ## Remove everything that was built
	rm -rf build out
