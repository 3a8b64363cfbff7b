# Commands for newcomers; everything behind them is CMake (CMakePresets.json).
#   make demo    install what is missing, build the command, and solve a real graph
#   make build   the command, the library and the programs for MPI: what cmake --install installs
#   make wheel   build the Python package as a self-contained wheel in dist/, and try it
#   make site    make the site of the manuals in build/site/html
#   make test    install what is missing, build, and run every test
# More: make quick (the tests of a minute), bench, asan, tsan, format, lint, clean
#   make campaign MINUTES=10   random problems against exact arithmetic
#   make fuzz HOURS=1          every fuzz target, the hours shared out
#   make mutants MINUTES=30    do the tests catch faults that are put into the code?
#   make kills KILLS=1000      solves that are killed and resumed
#   make interrupts MOMENTS=400   every verb, interrupted at random moments
#   make memory PROBLEMS=500   peak memory against the plan
#   make endurance MINUTES=60  one process that solves for long
#   make faults                every call on files, message and allocation fails once
#   make memcheck              tests of several rooms under Valgrind: is a value used that was never set?
# docs/reliability.md says what the campaigns of the last nine lines prove.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Configures what users run. Prints which kernels are compiled, a line each, and how to add the others.
CONFIGURE = said=$$(cmake --preset release $(1)) && echo "$$said" | sed -n 's/^-- \(CUDA engine\|CPU kernels\)/\1/p'
# What is built by itself for a demo is for this processor alone; kernels for all that are there are kept.
DEMO_CPU = $$(test -e build/release/CMakeCache.txt || echo -DAPSP_CPU=NATIVE)

.PHONY: demo build test quick test-build wheel site bench campaign fuzz faults mutants asan tsan memcheck format lint clean kills interrupts memory endurance

demo:
	@scripts/install-dependencies build demo
	@$(call CONFIGURE,$(DEMO_CPU))
	@cmake --build --preset demo -j $(JOBS)
	@scripts/demo build/release/bin/apsp

build:
	@scripts/install-dependencies build
	@$(call CONFIGURE,-DAPSP_CPU=ALL)
	@cmake --build --preset release -j $(JOBS)

# Tests of several processes wait more than they compute: two more at a time than there are processors.
test: test-build
	@ctest --preset test -j $$(($(JOBS) + 2))

quick: test-build
	@ctest --preset test -j $(JOBS) -L quick

test-build:
	@scripts/install-dependencies build demo test abi
	@cmake --preset test -DAPSP_PYTHON="$$(scripts/python-environment)" >/dev/null
	@cmake --build --preset test -j $(JOBS)

wheel:
	@scripts/install-dependencies build python
	@scripts/wheels

site:
	@scripts/install-dependencies build test site
	@cmake --preset test -DAPSP_PYTHON="$$(scripts/python-environment)" >/dev/null
	@cmake --build --preset test -j $(JOBS) --target apsp_cli _apsp
	@scripts/site

bench: test-build
	@scripts/install-dependencies bench
	@cmake --preset test -DAPSP_BUILD_BENCHMARKS=ON >/dev/null && cmake --build --preset test -j $(JOBS)
	@for program in build/release/bin/apsp_*_bench; do $$program || exit 1; done
	@bench/peers/run

asan tsan:
	@scripts/install-dependencies build test clang
	@cmake --preset $@ >/dev/null
	@cmake --build --preset $@ -j $(JOBS)
	@ctest --preset $@ -j $(JOBS) -L quick

# What the memory sanitizer finds, for which every library would have to be compiled again. Valgrind's
# long double has 53 bits, too few for exact sums.
memcheck: test-build
	@scripts/install-dependencies memcheck
	@for room in $(MEMCHECK); do echo $$room; OMP_NUM_THREADS=2 valgrind -q --error-exitcode=9 \
	  build/release/bin/apsp_$${room}_test --gtest_brief=1 '--gtest_filter=-ReciprocalSum.*' || exit 1; done

# Half of the hours without the address sanitizer, for several times as many inputs, then with it on what was found.
fuzz:
	@scripts/install-dependencies build clang
	@for preset in fuzz-fast fuzz; do \
	  cmake --preset $$preset >/dev/null && cmake --build --preset $$preset -j $(JOBS) || exit 1; done
	@failed=0; for preset in fuzz-fast fuzz; do JOBS=$(JOBS) FUZZ_CORPUS=build/fuzz-corpus \
	  tests/fuzz/run build/$$preset $(if $(HOURS),$$(tests/fuzz/run --share $(HOURS) 2)) || failed=1; done; exit $$failed

campaign:
	@scripts/install-dependencies build demo test
	@cmake --preset test -DAPSP_PYTHON="$$(scripts/python-environment)" >/dev/null
	@cmake --build --preset test -j $(JOBS) --target apsp_campaign apsp_cli
	@build/release/bin/apsp_campaign --seconds $$(( $(or $(MINUTES),10) * 60 )) --jobs $(JOBS) \
	  --seed $(or $(SEED),$$(date +%s)000) --findings build/campaign-findings

mutants:
	@scripts/install-dependencies build test
	@tests/mutation/run --minutes $(or $(MINUTES),30) --jobs $(JOBS)

MEMCHECK = fuzz_corpus graph flow near paths verifier report semiring statistics

RELIABILITY = APSP_BIN=$(CURDIR)/build/release/bin/apsp PYTHONPATH=$(CURDIR)/build/release/python \
           "$$(scripts/python-environment)" tests/reliability

kills: test-build
	@$(RELIABILITY)/kills.py --kills $(or $(KILLS),1000)

interrupts: test-build
	@$(RELIABILITY)/interrupts.py --moments $(or $(MOMENTS),400)
	@$(RELIABILITY)/interrupts.py --moments $$(($(or $(MOMENTS),400) / 8)) --python

memory: test-build
	@$(RELIABILITY)/memory.py --problems $(or $(PROBLEMS),500) --jobs $$(($(or $(PROBLEMS),500) / 5))
	@$(RELIABILITY)/verbs.py --calls $(or $(CALLS),300)

endurance: test-build
	@$(RELIABILITY)/endurance.py --minutes $(or $(MINUTES),60)

faults: test-build
	@tests/faults/run build/release

format:
	@git ls-files '*.cpp' '*.hpp' '*.h' '*.cu' '*.cuh' | xargs clang-format -i

lint:
	@scripts/check-layering
	@git ls-files 'src/*.cpp' | grep -vE '_test\.cpp$$|^src/cluster/mpi/' | xargs -I FILE clang-tidy --quiet FILE -- \
	  -std=c++20 -Iinclude -Isrc -fopenmp -DAPSP_VERSION='""'

clean:
	@rm -rf build
