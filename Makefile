# SPDX-License-Identifier: GPL-2.0-or-later
#
#   make            build ./xfsck and the manual pages; configures first where that is due
#   make demo       install what is missing, build, and check a sound and a damaged file system
#   make check      install what is missing, build, and run all tests; ONLY=word runs those with word in their name, and
#                   ONLY=quick what answers within a minute; JOBS=N runs N at a time
#   make coverage   the same, in a build that counts: which lines of which folders and files ran, and which did not
#   make lint       both compilers with -Werror, clang-tidy, cppcheck, clang-format, and who calls whom; ONLY="layers ...": only
#                   these steps
#   make fuzz       run the fuzz targets, FUZZ_SECONDS each, and check MUTATED_COUNT damaged images
#   make fuzz-runs  run them for FUZZ_RUNS inputs each, and check MUTATED_COUNT images, always the same ones, as CI does;
#                   installs nothing
#   make bench      compare with the xfs_repair of this machine; needs root
#   make bench-billion  check a file system of BENCH_INODES (1000000000) inodes that is computed, not stored
#   make dominance  compare what both keep of damaged file systems, with SEEDS=, KINDS=, BASES=, KEEP=; needs root
#   make afterlife  use repaired file systems, cut the power, and look whether all that was synced is there; the same options,
#                   and COUNT=, MINUTES=, PEER=no, JUDGE= (another kernel); needs root
#   make install    to $(DESTDIR)$(PREFIX): the program, its manual pages, and completions for bash, zsh and fish;
#                   install-strip leaves the debug information out, uninstall removes what install has put there
#   make dist       a tarball of what is committed, and its checksum; make deb, make rpm: packages of it (packaging/)
#
# CC=clang, SANITIZE=1 (addresses and undefined behaviour) and SANITIZE=thread each build in a folder of their own.
# V=1 shows the commands.

# These targets bring the packages they need; the others only say what is missing.
purposes := $(filter demo check coverage lint fuzz bench bench-billion dominance afterlife deb rpm,$(MAKECMDGOALS))
ifneq ($(purposes),)
purposes += $(if $(SANITIZE),$(if $(findstring clang,$(CC)),sanitize))
$(shell tests/setup $(purposes) >&2)
ifneq ($(.SHELLSTATUS),0)
$(error packages are missing)
endif
endif

ifeq ($(filter clean distclean,$(MAKECMDGOALS)),)
include config.mk
endif

# As many jobs as there are processors, unless the command line says how many.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif

ifneq ($(filter fuzz fuzz-runs,$(MAKECMDGOALS)),)
override CC := clang
override SANITIZE := fuzz
endif

ifneq ($(filter coverage,$(MAKECMDGOALS)),)
override CC := gcc
override SANITIZE := coverage
quickly := -O1
endif

sanitize_coverage := --coverage -fprofile-abs-path -fprofile-update=atomic -DXFSCK_COVERAGE
sanitize_1 := -fsanitize=address,undefined
sanitize_thread := -fsanitize=thread
sanitize_fuzz := -fsanitize=fuzzer-no-link,address,undefined
sanitize := $(if $(SANITIZE),$(sanitize_$(SANITIZE)) -fno-sanitize-recover=all -fno-omit-frame-pointer)

# What a compiler and a sanitizer make goes to a folder of theirs.
out := build/$(notdir $(lastword $(CC)))$(SANITIZE:%=-sanitize-%)

Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1) $@')

# The program is optimized as a whole, where compiler and linker can: that takes objects of their own, and twice as long.
# Tests are built from ordinary objects, as is the program that they and the demo run.
try_lto = echo 'int main(void) { return 0; }' | $(CC) -Werror $(1) -x c - -o /dev/null 2>/dev/null && echo '$(1)'
whole := $(if $(SANITIZE)$(filter demo check coverage,$(MAKECMDGOALS)),,$(shell $(call try_lto,-flto=auto)))
lto := -fno-lto

warnings := -Wall -Wextra -Werror=implicit -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# Sanitizers look closer than what hardens a program, and are kept from it by some of that.
compile = $(CC) -std=gnu17 -pthread $(warnings) $(sanitize) $(PREFIX_MAP) $(if $(SANITIZE),,$(HARDEN)) $(CFLAGS) $(quickly) $(lto)
link = $(compile) $(if $(SANITIZE),,$(HARDEN_LINK)) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(LIBS)

sources := $(wildcard libxfs/*.c cache/*.c prefetch/*.c repair/*.c repair/*/*.c repair/*/*/*.c repair/*/*/*/*.c repair/*/*/*/*/*.c)
objects := $(sources:%.c=$(out)/%.o)
library := $(out)/xfsck.a
whole_objects := $(sources:%.c=$(out)/whole/%.o)
program := $(out)/$(if $(whole),whole/)xfsck
unit_tests := $(patsubst %.c,$(out)/%,$(wildcard tests/unit/test_*.c))
tools := $(patsubst %.c,$(out)/%,$(wildcard tests/tools/*.c))
floor := $(out)/tests/bench/floor
bench_tools := $(filter-out $(floor),$(patsubst %.c,$(out)/%,$(wildcard tests/bench/*.c)))
property_test := $(out)/tests/property/damage
mutator := $(out)/tests/mutate/mutate
dirty := $(out)/tests/dirty/dirty
account := $(out)/tests/account/account
log_tools := $(addprefix $(out)/tests/log/,rewrite journal cut hole intend put)
failing := $(out)/tests/media/failing
starved := $(out)/tests/starved/starved
computed := $(addprefix $(out)/tests/computed/,write xfsck)
forbidden := $(out)/tests/sandbox/forbidden
fuzz_targets := $(patsubst %.c,$(out)/%,$(wildcard tests/fuzz/fuzz_*.c))

manuals := man/xfsck.8 man/xfsck-query.8 man/xfsck-audit.8 man/xfsck-json.5 man/xfsck-findings.7
completions := $(addprefix $(out)/completion/,bash zsh fish)

.PHONY: all demo check coverage lint fuzz fuzz-runs bench bench-billion dominance afterlife install install-strip uninstall testable clean distclean FORCE
.DELETE_ON_ERROR:

all: xfsck $(manuals) $(completions)

config.mk: configure config.mk.in
	@if [ -x config.status ]; then ./config.status -q --recheck && ./config.status -q; else ./configure -q; fi
	@touch $@

configure: configure.ac
	@command -v autoconf >/dev/null || { echo 'autoconf is missing; "tests/setup build" installs it' >&2; exit 1; }
	autoconf

# The program at the top is the one built last.
xfsck: $(program) FORCE
	@[ $@ -ef $< ] || ln -f $< $@

$(whole_objects) $(out)/whole/xfsck: lto := $(whole)

$(out)/whole/xfsck: $(whole_objects)
	$(call say,LINK)
	$(Q)$(link)

$(out)/xfsck: $(out)/repair/main.o $(library)
	$(call say,LINK)
	$(Q)$(link)

$(library): $(filter-out %/repair/main.o,$(objects))
	$(call say,AR  )
	$(Q)rm -f $@ && $(AR) rcs $@ $^

define compile_object
	$(call say,CC  )
	@mkdir -p $(@D)
	$(Q)$(compile) -Iinclude -iquote repair $(LIBS_CFLAGS) -DXFSCK_VERSION='"$(VERSION)"' $(CPPFLAGS) -MMD -MP -c -o $@ $<
endef

$(out)/%.o: %.c Makefile config.mk
	$(compile_object)

# What a unit test does itself takes no time, but there are many to compile.
$(out)/tests/unit/%.o: quickly := -O0 -U_FORTIFY_SOURCE

$(out)/whole/%.o: %.c Makefile config.mk
	$(compile_object)

$(unit_tests): %: %.o $(library)
	$(call say,LINK)
	$(Q)$(link) -lcmocka

$(property_test): $(patsubst %.c,$(out)/%.o,$(wildcard tests/property/*.c)) $(library)
	$(call say,LINK)
	$(Q)$(link)

# The image in memory and the running of a checker are those of the property test.
$(mutator): $(patsubst %.c,$(out)/%.o,$(wildcard tests/mutate/*.c)) \
		$(addprefix $(out)/tests/property/,checker.o checksum.o image.o) $(library)
	$(call say,LINK)
	$(Q)$(link)

$(dirty): $(patsubst %.c,$(out)/%.o,$(wildcard tests/dirty/*.c))
	$(call say,LINK)
	$(Q)$(link)

$(account): $(patsubst %.c,$(out)/%.o,$(wildcard tests/account/*.c)) $(library)
	$(call say,LINK)
	$(Q)$(link)

$(log_tools): %: %.o $(addprefix $(out)/tests/log/,records.o items.o writer.o changes.o) $(library)
	$(call say,LINK)
	$(Q)$(link)

$(out)/tests/fuzz/seeds: %: %.o $(out)/tests/fuzz/seeds_log.o $(out)/tests/log/records.o \
		$(out)/tests/mutate/objects.o $(addprefix $(out)/tests/property/,checksum.o image.o) $(library)
	$(call say,LINK)
	$(Q)$(link)

$(tools) $(bench_tools): %: %.o $(library)
	$(call say,LINK)
	$(Q)$(link) -lm

# The program, noting what it reads.
$(floor): $(out)/tests/bench/floor.o $(out)/repair/main.o $(library)
	$(call say,LINK)
	$(Q)$(link) -Wl,--wrap=sweep_post,--wrap=ledger_sink,--wrap=sandbox_enter

# The program, on devices that tests make unreadable.
$(failing): $(out)/tests/media/failing.o $(out)/repair/main.o $(library)
	$(call say,LINK)
	$(Q)$(link) -Wl,--wrap=device_open,--wrap=device_open_write,--wrap=fault_result,--wrap=fault_write,--wrap=sandbox_enter \
		-Wl,--wrap=checkpoint_interval,--wrap=save_end

# File systems that are computed.
computed_objects := $(filter-out %/write.o %/source.o,$(patsubst %.c,$(out)/%.o,$(wildcard tests/computed/*.c)))
$(out)/tests/computed/write: %: %.o $(computed_objects) $(library)
	$(call say,LINK)
	$(Q)$(link)

# The program, on such file systems.
$(out)/tests/computed/xfsck: $(out)/tests/computed/source.o $(computed_objects) $(out)/repair/main.o $(library)
	$(call say,LINK)
	$(Q)$(link) -Wl,--wrap=source_file_open

# The same, optimized as the program that is installed, but for the object whose call is wrapped.
computed_program := $(out)/$(if $(whole),whole/)tests/computed/xfsck
$(out)/whole/tests/computed/xfsck: private lto := $(whole)
$(out)/whole/tests/computed/xfsck: $(out)/tests/computed/source.o $(computed_objects) $(out)/cache/device.o \
		$(filter-out %/cache/device.o,$(whole_objects))
	$(call say,LINK)
	@mkdir -p $(@D)
	$(Q)$(link) -Wl,--wrap=source_file_open

# The program, in want of memory.
$(starved): $(out)/tests/starved/starved.o $(out)/repair/main.o $(library)
	$(call say,LINK)
	$(Q)$(link) -Wl,--wrap=sandbox_calls

$(forbidden): %: %.o $(library)
	$(call say,LINK)
	$(Q)$(link)

# All that fuzz targets feed: a third of the program, so that building them does not take long.
decoders := $(filter $(addprefix $(out)/,libxfs/% cache/% repair/log/% repair/sets/%),$(objects))

$(out)/decoders.a: $(decoders)
	$(call say,AR  )
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(fuzz_targets): %: %.o $(out)/decoders.a
	$(call say,LINK)
	$(Q)$(link) -fsanitize=fuzzer

# What goes on from a checkpoint is the whole of a check.
$(out)/tests/fuzz/fuzz_checkpoint: $(library)

-include $(wildcard $(out)/*/*.d $(out)/*/*/*.d $(out)/*/*/*/*.d $(out)/*/*/*/*/*.d $(out)/*/*/*/*/*/*.d)

# The table of findings, one a line, for the tests to compare with their folders.
$(out)/findings.tsv: $(out)/man/findings
	$(Q)$< >$@

$(out)/man/findings: $(out)/man/findings.o
	$(call say,LINK)
	$(Q)$(link)

man/xfsck.8 man/xfsck-query.8 man/xfsck-audit.8 man/xfsck-json.5: %: %.in config.mk
	$(call say,MAN )
	$(Q)sed 's/@VERSION@/$(VERSION)/; s/@DATE@/$(RELEASE_DATE)/' $< >$@

$(out)/explained: $(program)
	$(Q)$< --explain=all >$@

man/xfsck-findings.7: man/xfsck-findings.7.in man/explain.awk $(out)/explained config.mk
	$(call say,MAN )
	$(Q)awk -v version=$(VERSION) -v date=$(RELEASE_DATE) -v FS='\n' -f man/explain.awk RS= $(out)/explained RS='\n' $< >$@

# The table of options, from which shells learn to complete them.
$(out)/packaging/completion/options: %: %.o $(library)
	$(call say,LINK)
	$(Q)$(link)

$(completions): $(out)/completion/%: packaging/completion/%.awk $(out)/packaging/completion/options
	$(call say,MAKE)
	@mkdir -p $(@D)
	$(Q)$(out)/packaging/completion/options >$(@D)/$*.tsv && awk -f $< $(@D)/$*.tsv >$@

demo: xfsck $(tools)
	tests/demo $(out)

# What tests run.
testable: $(out)/xfsck $(manuals) $(completions) $(unit_tests) $(property_test) $(mutator) $(failing) $(starved) $(computed) $(forbidden) $(dirty) $(account) $(log_tools) $(tools) $(out)/findings.tsv

check: testable
	SANITIZE=$(SANITIZE) tests/run $(out) $(ONLY)

# Sources that the tests did not run have counts, too: of 0.  Tests that fail are told, and what ran is shown.  What
# gcc's library says of counts that a killed run has left in pieces is no output of the program.
coverage: testable
	find $(out) -name '*.gcda' -delete
	-GCOV_ERROR_FILE=$(abspath $(out))/gcov.errors SANITIZE=$(SANITIZE) tests/run $(out) $(ONLY)
	tests/coverage $(out)

lint: config.mk
	ONLY="$(ONLY)" tests/lint $(LIBS_CFLAGS)

fuzz: $(fuzz_targets) $(out)/xfsck $(mutator) $(tools)
	tests/fuzz/run $(out)

fuzz-runs: $(fuzz_targets) $(out)/xfsck $(mutator) $(tools)
	FUZZ_RUNS=$(or $(FUZZ_RUNS),5000) tests/fuzz/run $(out)

bench: xfsck $(tools) $(bench_tools) $(floor)
	XFSCK=$(program) tests/bench/run $(out)

bench-billion: $(computed) $(computed_program) $(tools)
	XFSCK=$(computed_program) tests/bench/billion $(out)

dominance: what := compare
afterlife: what := afterlife
dominance afterlife: xfsck $(tools) $(account)
	XFSCK=$(program) SEEDS='$(SEEDS)' KINDS='$(KINDS)' BASES='$(BASES)' KEEP='$(KEEP)' COUNT='$(COUNT)' MINUTES='$(MINUTES)' \
		PEER='$(PEER)' JUDGE='$(JUDGE)' tests/dominance/run $(out) $(what)

# What is installed, and where: a manual page is in the folder of its section.
man_place = $(mandir)/man$(patsubst .%,%,$(suffix $(1)))/$(notdir $(1))
installed = $(sbindir)/xfsck $(foreach page,$(manuals),$(call man_place,$(page))) \
	$(bashcompdir)/xfsck $(zshcompdir)/_xfsck $(fishcompdir)/xfsck.fish

install: $(program) $(manuals) $(completions)
	$(INSTALL_PROGRAM) -D -m 755 $(program) $(DESTDIR)$(sbindir)/xfsck
	$(foreach page,$(manuals),install -D -m 644 $(page) $(DESTDIR)$(call man_place,$(page)) &&) true
	install -D -m 644 $(out)/completion/bash $(DESTDIR)$(bashcompdir)/xfsck
	install -D -m 644 $(out)/completion/zsh $(DESTDIR)$(zshcompdir)/_xfsck
	install -D -m 644 $(out)/completion/fish $(DESTDIR)$(fishcompdir)/xfsck.fish

install-strip:
	$(MAKE) install INSTALL_PROGRAM='install -s --strip-program=$(STRIP)'

# Folders that only completions are in go with the last of them.
uninstall:
	rm -f $(addprefix $(DESTDIR),$(installed))
	-@for dir in $(addprefix $(DESTDIR),$(bashcompdir) $(zshcompdir) $(fishcompdir)); do \
		rmdir "$$dir" "$${dir%/*}" 2>/dev/null; done; true

include packaging/packaging.mk

clean:
	rm -rf build xfsck $(manuals)

distclean: clean
	rm -rf config.mk config.status config.log configure configure~ autom4te.cache
