# SPDX-License-Identifier: MIT
# The front door. Everything else is CMake: see CMakePresets.json and CONTRIBUTING.md.
.PHONY: help setup build demo test test-wheel sanitize thread-sanitize clang fuzz torture bench reproduce docs lint format clean
.DEFAULT_GOAL := help

help:
	@echo "make demo             build, then demonstrate MGD on generated data"
	@echo "make build            build the program: build/release/mugrad"
	@echo "make test             build and run every test, including those of the Python package"
	@echo "make test-wheel       build the Python package and test it with the newest packages"
	@echo "make sanitize         run the tests under the address and undefined-behaviour sanitizers"
	@echo "make thread-sanitize  run the tests under the thread sanitizer, compiled by clang"
	@echo "make clang            build with clang and run the tests"
	@echo "make fuzz             fuzz every reader for SECONDS (default 60); TARGET= names one"
	@echo "make torture          inject kills and failures into every command; SAMPLE= attacks each, 0 for all"
	@echo "make bench            measure Mugrad and its peers, and write docs/benchmarks.md"
	@echo "make reproduce        repeat the published comparison, JOBS= commands at once, and write docs/reproduction.md"
	@echo "make docs             write all documents and references as a site: build/docs/html/index.html"
	@echo "make lint             run clang-format and clang-tidy over the sources"
	@echo "make format           rewrite the sources with clang-format"
	@echo "make clean            remove build/"

setup:
	@scripts/setup

build: setup
	@scripts/build release mugrad

demo: build
	@build/release/mugrad demo

# make test STRICT=1: warnings of the compiler are errors.
test:
	@scripts/setup test
	@scripts/build $(if $(STRICT),strict-test,test)
	ctest --preset release

test-wheel:
	@scripts/setup test
	@scripts/build release mugrad
	@scripts/test-wheel

sanitize:
	@scripts/setup test
	@scripts/build sanitize
	ctest --preset sanitize

thread-sanitize:
	@scripts/setup test
	@scripts/setup clang
	@scripts/build thread-sanitize
	ctest --preset thread-sanitize

clang:
	@scripts/setup clang
	@scripts/build clang
	ctest --preset clang

fuzz:
	@scripts/setup fuzz
	@scripts/build fuzz fuzzers
	@tests/fuzz/run --seconds $(or $(SECONDS),60) $(addprefix --target ,$(TARGET))

torture:
	@scripts/setup torture
	@scripts/build test mugrad
	@scripts/build test failing_allocations
	@tests/torture/run $(addprefix --sample ,$(SAMPLE)) $(addprefix --seed ,$(SEED))

bench:
	@scripts/setup bench
	@scripts/build bench bench
	@bench/run

reproduce: build
	@scripts/setup reproduce
	@reproduction/run $(addprefix --jobs ,$(JOBS))

docs: build
	@scripts/setup docs
	@docs/site/build build/release/mugrad

# make lint BASE=COMMIT: clang-tidy takes what changed since that commit alone.
lint:
	@scripts/setup lint
	@scripts/lint $(BASE)

format:
	@scripts/setup lint
	@git ls-files '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build
