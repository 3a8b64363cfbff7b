# Commands for newcomers; everything behind them is CMake (CMakePresets.json).
#   make demo    install what is missing, build the command, and solve a real graph
#   make build   the command, the library and the programs for MPI: what cmake --install installs
#   make wheel   build the Python package as a self-contained wheel in dist/, and try it
#   make test    install what is missing, build, and run every test
# More: make quick (the tests of a minute), bench, fuzz, faults, asan, tsan, format, lint, clean

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Configures what users run. Prints one line: which GPUs' kernels are compiled, or how to add them.
CONFIGURE = said=$$(cmake --preset release) && echo "$$said" | sed -n 's/^-- \(CUDA engine\)/\1/p'

.PHONY: demo build test quick test-build wheel bench fuzz faults asan tsan format lint clean

demo:
	@scripts/install-dependencies build demo
	@$(CONFIGURE)
	@cmake --build --preset demo -j $(JOBS)
	@scripts/demo build/release/bin/apsp

build:
	@scripts/install-dependencies build
	@$(CONFIGURE)
	@cmake --build --preset release -j $(JOBS)

test: test-build
	@ctest --preset test -j $(JOBS)

quick: test-build
	@ctest --preset test -j $(JOBS) -L quick

test-build:
	@scripts/install-dependencies build demo test
	@cmake --preset test -DAPSP_PYTHON="$$(scripts/python-environment)" >/dev/null
	@cmake --build --preset test -j $(JOBS)

wheel:
	@scripts/install-dependencies build python
	@scripts/wheels

bench: test-build
	@scripts/install-dependencies bench
	@for program in build/release/bin/apsp_*_bench; do $$program || exit 1; done
	@bench/peers/run

asan tsan:
	@scripts/install-dependencies build test clang
	@cmake --preset $@ >/dev/null
	@cmake --build --preset $@ -j $(JOBS)
	@ctest --preset $@ -j $(JOBS) -L quick

fuzz:
	@scripts/install-dependencies build clang
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS)
	@tests/fuzz/run build/fuzz

faults: test-build
	@tests/faults/run build/release

format:
	@git ls-files '*.cpp' '*.hpp' '*.h' '*.cu' '*.cuh' | xargs clang-format -i

lint:
	@scripts/check-layering
	@git ls-files 'src/*.cpp' | grep -vE '_test\.cpp$$|^src/distributed/mpi/' | xargs -I FILE clang-tidy --quiet FILE -- \
	  -std=c++20 -Iinclude -Isrc -fopenmp -DAPSP_VERSION='""'

clean:
	@rm -rf build
