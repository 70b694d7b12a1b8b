# Warnings are errors, in Swift and in C. Builds and tests share the flags, so neither rebuilds the other's work.
SWIFT_FLAGS ?= -Xswiftc -warnings-as-errors -Xcc -Wall -Xcc -Wextra -Xcc -Werror
# What hides libVLC from test-without-libvlc; empty where no namespace can be made.
HIDE ?= scripts/hide.sh libvlc

FORMATTED := $(wildcard Sources Simulator Tests Fixtures Benchmarks) Package.swift
THREAD := --sanitize=thread --scratch-path .build/thread --disable-xctest $(SWIFT_FLAGS)
ADDRESS := --sanitize=address --scratch-path .build/address --disable-xctest $(SWIFT_FLAGS)
WITHOUT := --disable-default-traits --scratch-path .build/without-libvlc --disable-xctest $(SWIFT_FLAGS)

DEEP := --scratch-path .build/deep --disable-xctest $(SWIFT_FLAGS)

# How long soak-live soaks under each sanitizer.
SECONDS ?= 600

# What Swift tells of a crash is told by a child that its signal handler makes: ThreadSanitizer does not survive that, and under
# AddressSanitizer it takes longer than a test waits for what is to abort.
UNDER_THREAD := SWIFT_BACKTRACE=enable=no TSAN_OPTIONS=halt_on_error=0:exitcode=66
UNDER_ADDRESS := SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=1:suppressions=$(CURDIR)/scripts/sanitizers/address.supp \
  LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/sanitizers/leaks.supp:print_suppressions=0 LD_PRELOAD=$(CURDIR)/.build/keep_loaded.so

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build release run test test-without-libvlc sanitize sanitize-thread sanitize-address deep deep-tests conformance traces soak soak-live mutants bench \
  bench-baseline format lint fixtures clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | while IFS='|' read -r target text; do printf '%-20s %s\n' "$$target" "$$text"; done

setup: ## Install libVLC 3.0 and the tools that are missing (Debian)
	scripts/setup.sh

build: ## Build everything for debugging
	swift build --build-tests --disable-xctest $(SWIFT_FLAGS)

release: ## Build vlctool and vlcsim for release
	swift build -c release --product vlctool
	swift build -c release --product vlcsim

run: setup release ## Soak the engine for ten seconds on the simulated libVLC, then play four seconds of the sample tour on the real one
	.build/release/vlcsim soak --seconds 10
	.build/release/vlctool play Fixtures/media/tour.mkv --audio none --video none --stop-after 4

test: ## Lint, build and run every test, with libVLC and without
	scripts/setup.sh --tests
	$(MAKE) lint
	$(MAKE) build
	scripts/watch.sh 1200 300 -- swift test --disable-xctest $(SWIFT_FLAGS)
	$(MAKE) test-without-libvlc

test-without-libvlc: ## Build and test what needs no libVLC, with libVLC hidden
	$(HIDE) scripts/no-warnings.sh swift build --build-tests $(WITHOUT)
	scripts/watch.sh 900 300 -- $(HIDE) swift test $(WITHOUT)

sanitize: sanitize-thread sanitize-address ## Run every test under ThreadSanitizer, then under AddressSanitizer with leaks

sanitize-thread: ## Run every test under ThreadSanitizer, without a suppression
	scripts/setup.sh --tests
	swift build --build-tests $(THREAD)
	scripts/watch.sh 1200 420 -- env $(UNDER_THREAD) swift test --skip-build $(THREAD)

sanitize-address: ## Run every test under AddressSanitizer with leak detection
	scripts/setup.sh --tests
	swift build --build-tests $(ADDRESS)
	clang -shared -fPIC -o .build/keep_loaded.so scripts/sanitizers/keep_loaded.c
	scripts/watch.sh 1200 420 -- env $(UNDER_ADDRESS) swift test --skip-build $(ADDRESS)

# What the compiler instruments for ThreadSanitizer is linked with the kernel's functions instead of the sanitizer's.
deep-tests: ## Build in deep mode, and run the engine's tests and those of what races
	scripts/setup.sh --tests
	INTERLEAVING_DEEP=1 swift build --build-tests $(DEEP)
	scripts/watch.sh 1200 300 -- env INTERLEAVING_DEEP=1 swift test --skip-build $(DEEP)

deep: deep-tests ## And look for the corpus's bugs in deep mode, and print what it costs
	INTERLEAVING_DEEP=1 swift build -c release --product interleave --scratch-path .build/deep
	swift build -c release --product interleave
	scripts/watch.sh 1200 300 -- .build/deep/release/interleave corpus
	@echo "In deep mode:"
	@.build/deep/release/interleave bench --only fibers.same-order,fibers.counter,jobs
	@echo "In the ordinary mode:"
	@.build/release/interleave bench --only fibers.same-order,fibers.counter,jobs

conformance: ## Check each rule of libVLC 3.0 on the real library and on the simulated one, and print a table
	scripts/setup.sh --tests
	swift build --product conformance $(SWIFT_FLAGS)
	.build/debug/conformance table

traces: ## Record a thousand random traces of libVLC 3.0, and ask whether the simulated one can do each, and none that is changed
	scripts/setup.sh --tests
	swift build -c release --product traces $(SWIFT_FLAGS)
	.build/release/traces check 1000

soak: setup ## Play workloads under 200,000 schedules and faults on the simulated libVLC
	swift build -c release --product vlcsim
	.build/release/vlcsim soak --executions 200000 --require-marks

soak-live: ## Play workloads on real threads for ten minutes under each sanitizer (SECONDS=600)
	scripts/setup.sh --tests
	swift build --build-tests $(THREAD)
	scripts/watch.sh 7200 3600 -- env SOAK_SECONDS=$(SECONDS) $(UNDER_THREAD) swift test --skip-build $(THREAD) --filter LiveSoakTests
	swift build --build-tests $(ADDRESS)
	clang -shared -fPIC -o .build/keep_loaded.so scripts/sanitizers/keep_loaded.c
	scripts/watch.sh 7200 3600 -- env SOAK_SECONDS=$(SECONDS) $(UNDER_ADDRESS) swift test --skip-build $(ADDRESS) --filter LiveSoakTests

mutants: ## Break the engine in known ways, soak each until a checker finds it, and write docs/mutants.md (SHARD=I/N)
	scripts/mutants.py $(if $(SHARD),--shard $(SHARD))

# The player links Swift's library statically, as an application that is shipped for Linux does: libVLC resolves each
# plug-in's symbols in everything that is loaded, and Swift's shared libraries would add some 20 ms to a start (measured: 25 ms more than C, against 5).
bench: ## Measure ratios against the standard library and a C program, beside the committed baseline
	scripts/setup.sh
	swift build -c release --product benchmarks
	swift build -c release --static-swift-stdlib --product benchmark-player --scratch-path .build/static
	clang -O2 -o .build/reference Benchmarks/reference.c -lvlc
	.build/release/benchmarks --baseline Benchmarks/baseline.json --playback .build/static/release/benchmark-player .build/reference Fixtures/media/tour.mkv 15

bench-baseline: ## Measure anew and make that the committed baseline
	swift build -c release --product benchmarks
	swift build -c release --static-swift-stdlib --product benchmark-player --scratch-path .build/static
	clang -O2 -o .build/reference Benchmarks/reference.c -lvlc
	.build/release/benchmarks --json --playback .build/static/release/benchmark-player .build/reference Fixtures/media/tour.mkv 15 > .build/baseline.json
	mv .build/baseline.json Benchmarks/baseline.json

format: ## Format the Swift sources in place
	swift format -i -r -p $(FORMATTED)

lint: ## Check the format of the Swift sources
	swift format lint --strict -r -p $(FORMATTED)

fixtures: ## Make the media files of Fixtures/ anew (ffmpeg, python3)
	Fixtures/generate.sh

clean: ## Remove everything that was built
	rm -rf .build
