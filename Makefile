# SPDX-License-Identifier: MIT
#
# The front door. All building is Meson's (doc/decisions/0001-meson-behind-make.md).
#
#     make                 build/winnow, runs from here
#     make demo            install what is missing, build, record an example and look at it
#     make test            install what is missing, build, all tests;  SUITE=unit for one kind
#     make test-all        the same with every combination of programs, compilers, runtimes and numbers of threads
#     make bench           the same, for measurements
#     make install         to PREFIX (default /usr/local), below DESTDIR, without debug information (STRIP=0 keeps it)
#     make uninstall       removes what the last install put there; with the same PREFIX and DESTDIR
#     make dist            build/winnow-VERSION.tar.xz of the last commit, and its checksum
#     make sanitize        all tests on a build with address and undefined-behaviour sanitizers
#     make fuzz            fuzz all that reads, ten minutes each (FUZZ_SECONDS)
#     make nightly         random programs that know their own graph, by every compiler (PROGRAMS=2000)
#     make check-format    does the source keep the format?
#     make clean
#
# Only demo, test and bench install anything (tools/setup.sh, where there is apt-get); make itself never does.

BUILD    ?= build
SANITIZE ?= build-sanitize
PREFIX   ?= /usr/local
DESTDIR  ?=
STRIP    ?= 1
SUITE    ?=
MESON    ?= meson
DEMO     := $(BUILD)/demo

build: $(BUILD)/build.ninja
	@$(MESON) compile -C $(BUILD) product

export MESON

$(BUILD)/build.ninja:
	@tools/configure.sh $(BUILD)

demo:
	@tools/setup.sh demo
	@tools/configure.sh $(BUILD)
	@$(MESON) compile -C $(BUILD) winnow:executable winnow-record
	@tools/demo.sh $(BUILD) $(DEMO)

test:
	@tools/setup.sh test
	@tools/configure.sh $(BUILD)
	@$(MAKE) --no-print-directory build
	@tools/run-tests.sh $(BUILD) $(SUITE)

test-all:
	@WN_CHOICE=all $(MAKE) --no-print-directory test

bench:
	@tools/setup.sh bench
	@tools/configure.sh $(BUILD)
	@$(MAKE) --no-print-directory build
	@bench/run.sh

install: $(BUILD)/build.ninja
	$(MESON) configure $(BUILD) -Dprefix=$(PREFIX)
	$(MESON) compile -C $(BUILD) product
	DESTDIR=$(DESTDIR) $(MESON) install -C $(BUILD) --no-rebuild $(if $(filter 1,$(STRIP)),--strip)

uninstall:
	@tools/uninstall.sh $(BUILD) $(DESTDIR)$(PREFIX)

dist:
	@tools/dist.sh $(BUILD)

sanitize:
	@tools/configure.sh $(SANITIZE) \
		-Db_sanitize=address,undefined -Db_lundef=false
	$(MESON) compile -C $(SANITIZE)
	tools/run-tests.sh $(SANITIZE) $(SUITE)

FUZZ         ?= build-fuzz
FUZZ_SECONDS ?= 600

fuzz:
	fuzz/build.sh $(FUZZ)
	fuzz/run.sh $(FUZZ) $(FUZZ_SECONDS)

PROGRAMS ?= 2000

nightly: build
	tools/fetch-runtimes.sh $(BUILD)/runtimes
	tests/random/run.sh $(BUILD) $(or $(PROGRAMS),2000) $$(date +%Y%m%d)0000 --all

check-format:
	tools/check-format.sh

clean:
	rm -rf $(BUILD) $(SANITIZE)

.PHONY: build demo test test-all bench install uninstall dist sanitize fuzz nightly check-format clean
